// The chat in this repository, and on servers: paths are relative to the project of the settings file.
import { fileURLToPath } from "node:url";
import { PACKAGE_FOLDER } from "./config/package-folder.ts";
import { runProgram } from "./program.ts";

await runProgram(process.argv.slice(2), { settingsFile: fileURLToPath(new URL("config.toml", PACKAGE_FOLDER)) });
