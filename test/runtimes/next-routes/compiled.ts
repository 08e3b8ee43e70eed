import skills from "./fixtures/skills/README.md?skillset";

/** The skills of the folder that contains the file: Turbopack cannot import a folder. */
export const compiled = skills;
