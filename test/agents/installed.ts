import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeEach } from "vitest";

/** Whether the programs of this folder are installed: they are too large for every install. */
const isInstalled = existsSync(inAgents("node_modules/.package-lock.json"));

/** Skips every test of a file, with the reason, unless they are installed. */
export function needsAgents(): void {
  beforeEach(({ skip }) => skip(!isInstalled, "run `npm run agents:install` first"));
}

/** The path of a file in this folder. */
export function inAgents(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
