// Builds missing or outdated parts, then starts the chat.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const parts = [
  {
    name: "the library",
    sources: ["packages/skillset/src"],
    built: "packages/skillset/dist/index.js",
    script: ["build"],
  },
  {
    name: "the page",
    sources: ["apps/chat/web", "apps/chat/shared"],
    built: "apps/chat/web/dist/index.html",
    script: ["build", "-w", "apps/chat"],
  },
];
for (const { name, sources, built, script } of parts) {
  if (existsSync(built) && Math.max(...sources.map(newest)) <= statSync(built).mtimeMs) continue;
  console.error(`Building ${name}…`);
  const { status, stdout, stderr } = spawnSync("npm", ["run", "--silent", ...script], { encoding: "utf8" });
  if (status === 0) continue;
  console.error(stdout + stderr);
  console.error(`Building ${name} failed. See the errors above.`);
  process.exit(1);
}

await import("../apps/chat/server/main.ts");

/** The latest modification time in a folder. */
function newest(folder: string): number {
  const times = readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== "dist")
    .map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? newest(path) : statSync(path).mtimeMs;
    });
  return Math.max(0, ...times);
}
