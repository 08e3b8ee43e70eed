import { SkillError } from "../core/base/errors.ts";
import type { ScriptEnd, ScriptLimits, ScriptResult, ScriptRunner } from "../core/script/script.ts";
import type { ScriptOptions } from "../core/script/script-options.ts";
import type { ScriptHost, ScriptRequest } from "../core/session/script-host.ts";
import { OutputFolders } from "./output-folders.ts";
import { SkillCopies } from "./skill-copies.ts";

/** Creates what runs a skillset's scripts: copies the skill, asks, runs, and collects the files. */
export function createScriptHost(runner: ScriptRunner, options: ScriptOptions): ScriptHost {
  const { consent, grants, onOutput } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const copies = new SkillCopies();
  const folders = new OutputFolders(options, limits.files);
  return {
    ...(consent && { consent }),
    ...(grants !== undefined && { grants }),
    ...(onOutput && { onOutput }),
    level: runner.level,
    outputs: (session) => folders.files(session),
    removeOutputs: (session) => folders.remove(session),
    run: async (request) => {
      const { skill, script, signal } = request;
      const { folder, digest } = await copies.of(skill, signal);
      checkScript(skill.name, script, await skill.files.list(undefined, { signal }));
      const reason = await request.refusal(digest);
      const start = performance.now();
      const done = (end: ScriptEnd, kept: Pick<ScriptResult, "files" | "droppedFiles">): ScriptResult => ({
        ...end,
        skill: skill.name,
        script,
        level: runner.level,
        milliseconds: Math.round(performance.now() - start),
        ...("stdout" in end && jsonOf(end.stdout)),
        ...kept,
      });
      if (reason !== undefined) return done({ outcome: "refused", reason }, { files: [], droppedFiles: [] });
      const output = folders.open(request.session, request.files);
      const end = await runner.run({ ...toJob(request), skillFolder: folder, outputFolder: output.path, limits });
      return done(end, output.collect());
    },
  };
}

function toJob({ script, args, input, signal, onOutput }: ScriptRequest) {
  return { script, args, signal, onOutput, ...(input !== undefined && { stdin: `${JSON.stringify(input)}\n` }) };
}

function checkScript(skill: string, script: string, files: readonly { path: string; kind: string }[]): void {
  if (files.some(({ path, kind }) => path === script && kind === "file")) return;
  throw new SkillError("resource-not-found", `Skill '${skill}' has no script '${script.slice(0, 200)}'.`);
}

function jsonOf(stdout: string): { json?: unknown } {
  try {
    return { json: JSON.parse(stdout) };
  } catch {
    return {};
  }
}

const DEFAULT_LIMITS: ScriptLimits = {
  time: 60_000,
  output: 1_000_000,
  memory: 512 * 1024 * 1024,
  processes: 64,
  files: 100_000_000,
};
