// Starts the chat. First builds what is missing or outdated, and prints that.
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
  console.error(`${name} could not be built. See the error above.`);
  process.exit(1);
}

// npm does not forward every signal, and without npm the chat would keep running unseen.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && process.kill(process.pid, "SIGTERM"), 1_000).unref();
await import("../apps/chat/server/main.ts");

/** Returns when anything in a folder was last written. */
function newest(folder: string): number {
  const times = readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== "dist")
    .map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? newest(path) : statSync(path).mtimeMs;
    });
  return Math.max(0, ...times);
}
