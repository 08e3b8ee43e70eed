import { readFileSync } from "node:fs";
import { PACKAGE_FOLDER } from "./package-folder.ts";

const manifest = new URL("package.json", PACKAGE_FOLDER);

export const VERSION: string = (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
