// openskills is only a command line and searches fixed folders: its `list` runs in a project that links to the folder.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, peers] = process.argv.slice(2);
const command = resolve(peers, "node_modules/openskills/dist/cli.js");
const project = mkdtempSync(join(tmpdir(), "openskills-"));
mkdirSync(join(project, ".claude"));
symlinkSync(resolve(folder), join(project, ".claude/skills"));
process.on("exit", () => rmSync(project, { recursive: true }));

process.env.HOME = project;
process.chdir(project);
process.argv = [process.execPath, command, "list"];
let last = "";
const write = process.stdout.write;
process.stdout.write = (text) => {
  last = text;
  return true;
};
await import(pathToFileURL(command));
process.stdout.write = write;
console.log(/(\d+) total/.exec(last)?.[1] ?? last);
