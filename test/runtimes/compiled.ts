import many from "./.out/many-skills?skillset";
import few from "./fixtures/skills?skillset";

/** The skills of two folders, compiled in by @skillset/unplugin. */
export const compiled = { few, many };
