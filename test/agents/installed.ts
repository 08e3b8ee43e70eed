import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeEach } from "vitest";

/** Whether the programs of this folder are there: they are too large to come with every install. */
const isInstalled = existsSync(inAgents("node_modules/.package-lock.json"));

/** Skips every test of a file, and says why, while they are not. */
export function needsAgents(): void {
  beforeEach(({ skip }) => skip(!isInstalled, "run `npm run agents:install` first"));
}

/** The path of something in this folder. */
export function inAgents(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
