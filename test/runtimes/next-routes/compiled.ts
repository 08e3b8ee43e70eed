import few from "./fixtures/skills/README.md?skillset";
import many from "./many-skills/README.md?skillset";

/** The skills of the folders that contain the files: Turbopack cannot import a folder. */
export const compiled = { few, many };
