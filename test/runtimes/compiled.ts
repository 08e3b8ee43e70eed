import skills from "./fixtures/skills?skillset";

/** The skills of the folder, compiled in by @skillset/unplugin. */
export const compiled = skills;
