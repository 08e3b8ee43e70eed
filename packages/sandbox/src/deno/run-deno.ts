import { randomUUID } from "node:crypto";
import { realpathSync } from "node:fs";
import { devNull } from "node:os";
import { dirname, join } from "node:path";
import {
  endWithHost,
  fillArguments,
  runProcess,
  type ScriptEnd,
  type ScriptJob,
  scriptEnvironment,
} from "skillset/scripts";
import { heapLimit, reportHeapLimit } from "../limits/heap-limit.ts";
import { DENO_MISSING, findDeno } from "./find-deno.ts";
import { importsOutside, MODULE_FLAGS } from "./imports-outside.ts";

/** Runs a JavaScript or TypeScript file in deno, which may read the two folders, write to one, and nothing else. */
export async function runDeno(job: ScriptJob, language: "javascript" | "typescript"): Promise<ScriptEnd> {
  const deno = findDeno();
  if (deno === undefined) return { outcome: "refused", reason: DENO_MISSING };
  const { script, limits, ...rest } = job;
  const skill = realpathSync(job.skillFolder);
  const output = realpathSync(job.outputFolder);
  const marker = randomUUID();
  const showPaths = (text: string): string => withoutAdvice(showFolders(text, { skill, output }));
  const folders = { skill, output, temporary: output };
  const common = scriptEnvironment("", folders);
  const env = scriptEnvironment("", folders, job.env);
  const args = fillArguments(job.args, folders);
  const hasExtension = /\.[cm]?[jt]s$/i.test(script);
  const place = {
    ...rest,
    limits,
    outputFolder: output,
    marker,
    cwd: skill,
    env: { ...common, ...DENO_ENV, SKILLSET_RUN: marker },
  };
  if (await importsOutside(place, deno, join(skill, script), [skill, output])) {
    return { outcome: "refused", reason: `'${script}' imports a file that does not belong to the skill.` };
  }
  const end = await runProcess({
    ...place,
    env: { ...env, ...DENO_ENV, SKILLSET_RUN: marker },
    onOutput: ({ stream, text }) => job.onOutput({ stream, text: showPaths(text) }),
    command: await endWithHost([
      deno,
      "run",
      ...FLAGS,
      ...(hasExtension ? [] : [`--ext=${language === "typescript" ? "ts" : "js"}`]),
      `--allow-read=${[skill, output].map(escapePath).join()}`,
      `--allow-write=${escapePath(output)}`,
      `--allow-env=${Object.keys(env).join()}`,
      `--v8-flags=--max-old-space-size=${heapLimit(limits)}`,
      join(skill, script),
      ...args,
    ]),
    shownCommand: ["deno", "run", `/skill/${script}`, ...args.map(showPaths)],
  });
  if (end.outcome === "refused") return end;
  return reportHeapLimit({ ...end, stdout: showPaths(end.stdout), stderr: showPaths(end.stderr) });
}

/** Deno looks for packages in the folders above the skill, and names them. */
function showFolders(text: string, { skill, output }: Readonly<Record<"skill" | "output", string>>): string {
  const shown = text.replaceAll(skill, "/skill").replaceAll(output, "/output");
  return shown.replaceAll(`${dirname(skill)}/`, "/").replaceAll(`${dirname(output)}/`, "/");
}

/** Deno advises to change its options, or to install packages. A script can do neither. */
function withoutAdvice(text: string): string {
  return text
    .replaceAll(/, run again with the --allow-[a-z]+ flag/g, "")
    .replaceAll(/[;,] but --no-(?:npm|remote) is specified/g, "")
    .replaceAll(/hint: If you want to use the npm package, try running `deno add [^`\n]{0,300}`/g, NO_PACKAGES);
}

const NO_PACKAGES = "hint: The runner 'embedded' has no packages.";

/**
 * Without a separate folder, deno writes nothing but what the script writes to the output folder. In such a folder, a
 * script could store what no limit counts, for example with the Cache API, and would see its path in `PATH`.
 */
const DENO_ENV = { DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1", DENO_DIR: devNull };

const FLAGS = [
  ...MODULE_FLAGS,
  "--no-prompt",
  "--cached-only",
  "--no-check",
  "--no-code-cache",
  "--unstable-detect-cjs",
  // Libraries read variables such as DEBUG. They see none instead of an error.
  "--ignore-env",
];

/** Deno separates paths by commas. */
function escapePath(path: string): string {
  return path.replaceAll(",", ",,");
}
