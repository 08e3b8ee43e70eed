import skills from "@/fixtures/skills/README.md?skillset";
import paint from "./fixtures/skills/paint/SKILL.md";

/** The skills of the folder that contains the file, one of them by its SKILL.md: Turbopack cannot import a folder. */
export const compiled = skills.map((skill) => (skill.name === paint.name ? paint : skill));
