import { realpathSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import {
  endWithHost,
  fillArguments,
  makeTemporaryFolder,
  removeOwnedFolder,
  runProcess,
  type ScriptEnd,
  type ScriptJob,
  scriptEnvironment,
} from "skillset/scripts";
import { heapLimit, reportHeapLimit } from "../limits/heap-limit.ts";
import { PROGRAM } from "./program.build.ts";
import { PYTHON_PRELUDE } from "./python-prelude.ts";

/** The variable of the child process with those of the script, as JSON. The program has the same name. */
const SECRETS_VARIABLE = "SKILLSET_SCRIPT_ENV";

/** The folders as a script in just-bash sees them. */
const GUEST_FOLDERS = { skill: "/skill", output: "/output", temporary: "/tmp" };

/** What the child process gets. */
export interface ShellJob {
  readonly module: string;
  readonly program: "bash" | "sh" | "python3";
  readonly skillFolder: string;
  readonly outputFolder: string;
  readonly memory: number;
  readonly env: Readonly<Record<string, string>>;
  readonly prelude: string;
}

/** Runs a shell or Python script in just-bash, in a process that may use nothing but the two folders. */
export async function runShell(job: ScriptJob, program: ShellJob["program"]): Promise<ScriptEnd> {
  const { script, limits, ...rest } = job;
  const skillFolder = realpathSync(job.skillFolder);
  const outputFolder = realpathSync(job.outputFolder);
  const module = createRequire(import.meta.url)
    .resolve("just-bash")
    .replace(/index\.cjs$/, "index.js");
  const shell: ShellJob = {
    module: pathToFileURL(module).href,
    program,
    skillFolder,
    outputFolder,
    memory: limits.memory,
    env: scriptEnvironment("/usr/bin:/bin", GUEST_FOLDERS),
    prelude: PYTHON_PRELUDE,
  };
  const args = [`/skill/${script}`, ...fillArguments(job.args, GUEST_FOLDERS)];
  // Not a text for `node --eval`: a worker would inherit it.
  const folder = makeTemporaryFolder("skillset-shell-");
  const file = join(folder, "program.mjs");
  writeFileSync(file, PROGRAM, { mode: 0o600 });
  const read = [folder, ...moduleFolders(module), skillFolder, outputFolder];
  try {
    const end = await runProcess({
      ...rest,
      limits,
      outputFolder,
      command: await endWithHost([
        process.execPath,
        PERMISSION,
        // With the separator, a folder and all that it contains. Node 22 crashes if a folder is named in two ways.
        ...read.map((folder) => `--allow-fs-read=${folder}${sep}`),
        `--allow-fs-write=${outputFolder}${sep}`,
        // The Python of just-bash is a worker.
        "--allow-worker",
        "--no-addons",
        "--no-warnings",
        `--max-old-space-size=${heapLimit(limits)}`,
        file,
        JSON.stringify(shell),
        ...args,
      ]),
      shownCommand: [program, ...args],
      cwd: outputFolder,
      // Not on the command line, which every user of the machine can read, and without names that Node would obey.
      env: job.env === undefined ? {} : { [SECRETS_VARIABLE]: JSON.stringify(job.env) },
    });
    return reportHeapLimit(end);
  } finally {
    removeOwnedFolder(folder);
  }
}

/** The older name is that of Node 22.12. */
const PERMISSION = process.allowedNodeEnvironmentFlags.has("--permission")
  ? "--permission"
  : "--experimental-permission";

/** The folders of just-bash and of the packages that it imports. */
function moduleFolders(module: string): readonly string[] {
  const own = module.slice(0, module.lastIndexOf(`${sep}dist${sep}`));
  const { resolve } = createRequire(module);
  const others = IMPORTED.flatMap((name) => {
    try {
      return [packageFolder(resolve(name), name)];
    } catch {
      return [];
    }
  });
  return [...new Set([own, ...others].flatMap((folder) => [folder, realpathSync(folder)]))];
}

const IMPORTED = [
  "diff",
  "minimatch",
  "brace-expansion",
  "balanced-match",
  "seek-bzip",
  "sprintf-js",
  "sql.js",
  "turndown",
  "@mixmark-io/domino",
];

function packageFolder(file: string, name: string): string {
  const end = join("node_modules", name);
  const at = file.lastIndexOf(end);
  return at === -1 ? dirname(file) : file.slice(0, at + end.length);
}
