import paint from "./fixtures/skills/paint/SKILL.md";
import skills from "./fixtures/skills?skillset";

/** The skills of the folder, one of them by its SKILL.md, compiled in by @skillset/unplugin. */
export const compiled = skills.map((skill) => (skill.name === paint.name ? paint : skill));
