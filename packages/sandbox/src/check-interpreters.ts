import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeTemporaryFolder, removeOwnedFolder, type ScriptJob, type ScriptRunner } from "skillset/scripts";
import { findDeno } from "./deno/find-deno.ts";

/** Runs small scripts that try to leave. Returns what does not work, and undefined if everything does. */
export async function checkInterpreters(run: ScriptRunner["run"]): Promise<string | undefined> {
  const folder = makeTemporaryFolder("skillset-check-");
  try {
    const canary = join(folder, "canary");
    writeFileSync(canary, SECRET);
    const skillFolder = join(folder, "skill");
    const outputFolder = join(folder, "output");
    mkdirSync(skillFolder);
    mkdirSync(outputFolder);
    // Without deno, its scripts are refused and everything else works.
    const scripts = findDeno() === undefined ? { "check.sh": SHELL } : { "check.sh": SHELL, "check.js": JAVASCRIPT };
    for (const [script, text] of Object.entries(scripts)) {
      writeFileSync(join(skillFolder, script), text);
      const job: ScriptJob = {
        ...JOB,
        skillFolder,
        outputFolder,
        script,
        args: [canary],
        signal: new AbortController().signal,
      };
      const end = await run(job);
      const name = script === "check.sh" ? "just-bash" : "deno";
      if (end.outcome !== "exited") {
        return `${name} does not work: ${end.outcome === "refused" ? end.reason : `${end.outcome}.`}`;
      }
      if (end.stdout.includes(SECRET)) return `${name} does not contain scripts: one read a file outside its folders.`;
      if (end.exitCode !== 0 || end.stdout !== "contained\n") {
        return `${name} does not work: a test script ended with exit code ${end.exitCode}. ${end.stderr.slice(0, 200).trim()}`;
      }
    }
    return undefined;
  } finally {
    removeOwnedFolder(folder);
  }
}

const SECRET = "outside-of-the-sandbox";

const SHELL = `cat "$1" 2>/dev/null; test -z "$NODE_OPTIONS$USER$LOGNAME" && echo contained\n`;

const JAVASCRIPT = `import { readFileSync } from "node:fs";
try { console.log(readFileSync(process.argv[2], "utf8")); } catch {}
if (!process.env.USER) console.log("contained");
`;

const JOB = {
  limits: { time: 20_000, output: 10_000, memory: 512 * 1024 * 1024, processes: 64, files: 1_000_000 },
  onOutput: () => {},
};
