import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";

/** The program as JavaScript. A bundled application has no file for it. */
export const WRAP_PROGRAM = stripTypeScriptTypes(readFileSync(new URL("./wrap-program.ts", import.meta.url), "utf8"));
