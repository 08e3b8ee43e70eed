import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
import { importsOutside } from "./imports-outside.ts";

/** Runs a JavaScript or TypeScript file in deno, which may read the two folders, write to one, and nothing else. */
export async function runDeno(job: ScriptJob, language: "javascript" | "typescript"): Promise<ScriptEnd> {
  const deno = findDeno();
  if (deno === undefined) return { outcome: "refused", reason: DENO_MISSING };
  const { script, limits, ...rest } = job;
  const skill = realpathSync(job.skillFolder);
  const output = realpathSync(job.outputFolder);
  const temporary = realpathSync(mkdtempSync(join(tmpdir(), "skillset-deno-")));
  const showPaths = (text: string): string => text.replaceAll(skill, "/skill").replaceAll(output, "/output");
  try {
    const folders = { skill, output, temporary: output };
    const common = scriptEnvironment("", folders);
    const env = scriptEnvironment("", folders, job.env);
    const args = fillArguments(job.args, folders);
    const hasExtension = /\.[cm]?[jt]s$/i.test(script);
    const place = {
      ...rest,
      limits,
      outputFolder: output,
      marker: temporary,
      cwd: skill,
      env: { ...common, ...DENO_ENV, DENO_DIR: temporary },
    };
    if (await importsOutside(place, deno, join(skill, script), [skill, output])) {
      return { outcome: "refused", reason: `'${script}' imports a file that does not belong to the skill.` };
    }
    const end = await runProcess({
      ...place,
      env: { ...env, ...DENO_ENV, DENO_DIR: temporary },
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
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

const DENO_ENV = { DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" };

const FLAGS = [
  "--quiet",
  "--no-prompt",
  "--no-remote",
  "--no-npm",
  "--no-config",
  "--no-lock",
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
