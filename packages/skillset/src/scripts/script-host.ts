import { lstatSync } from "node:fs";
import { join } from "node:path";
import { SkillError } from "../core/base/errors.ts";
import { oneAfterTheOther } from "../core/base/in-order.ts";
import type { ScriptEnd, ScriptLimits, ScriptResult, ScriptRunner } from "../core/script/script.ts";
import type { ScriptOptions } from "../core/script/script-options.ts";
import type { ScriptHost, ScriptRequest } from "../core/session/script-host.ts";
import { checkOptions } from "../core/text/check-options.ts";
import { OutputFolders } from "./output-folders.ts";
import { SkillCopies, type SkillCopy } from "./skill-copies.ts";

/** Creates what runs a skillset's scripts: copies the skill, asks, runs, and collects the files. */
export function createScriptHost(runner: ScriptRunner, options: ScriptOptions): ScriptHost {
  const { consent, grants, onOutput } = options;
  const limits = toLimits(options.limits);
  const copies = new SkillCopies();
  const folders = new OutputFolders(options, limits.files);
  const inOrder = new RunQueue();

  const runCopy = async (request: ScriptRequest, { folder, digest }: SkillCopy): Promise<ScriptResult> => {
    const { skill, script, signal, session } = request;
    // Copying takes time, and nobody must be asked in vain.
    signal.throwIfAborted();
    checkScript(skill.name, script, folder);
    const reason = await request.refusal(digest);
    signal.throwIfAborted();
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
    const output = folders.open(session, request.files);
    try {
      const end = await runner.run({ ...toJob(request), skillFolder: folder, outputFolder: output.path, limits });
      return done(end, output.collect());
    } catch (error) {
      output.collect();
      throw error;
    }
  };

  return {
    ...(consent && { consent }),
    ...(grants !== undefined && { grants }),
    ...(onOutput && { onOutput }),
    level: runner.level,
    outputs: (session) => folders.files(session),
    removeOutputs: (session) => folders.remove(session),
    run: (request) =>
      inOrder.add(request, async () => {
        const copy = await copies.of(request.skill, request.signal);
        try {
          return await runCopy(request, copy);
        } finally {
          copy.release();
        }
      }),
  };
}

/** Runs one script of a session at a time, also if several session objects have the same id: they share a folder. */
class RunQueue {
  readonly #sessions = new Map<string, { readonly inOrder: ReturnType<typeof oneAfterTheOther>; waiting: number }>();

  async add<Result>({ session, signal }: ScriptRequest, work: () => Promise<Result>): Promise<Result> {
    const queue = this.#sessions.get(session) ?? { inOrder: oneAfterTheOther(), waiting: 0 };
    this.#sessions.set(session, queue);
    queue.waiting++;
    try {
      return await queue.inOrder(work, signal);
    } finally {
      queue.waiting--;
      if (queue.waiting === 0) this.#sessions.delete(session);
    }
  }
}

function toJob({ script, args, input, signal, onOutput }: ScriptRequest) {
  return { script, args, signal, onOutput, ...(input !== undefined && { stdin: `${JSON.stringify(input)}\n` }) };
}

/** Looks in the copy, which has no links. */
function checkScript(skill: string, script: string, folder: string): void {
  try {
    if (lstatSync(join(folder, script)).isFile()) return;
  } catch {
    // It does not exist, or cannot exist because its name is too long.
  }
  throw new SkillError("resource-not-found", `Skill '${skill}' has no script '${script.slice(0, 200)}'.`);
}

function jsonOf(stdout: string): { json?: unknown } {
  try {
    return { json: JSON.parse(stdout) };
  } catch {
    return {};
  }
}

function toLimits(given: Partial<ScriptLimits> = {}): ScriptLimits {
  checkOptions("The option 'scripts.limits'", given, Object.keys(DEFAULT_LIMITS));
  const limits = { ...DEFAULT_LIMITS, ...given };
  for (const [name, value] of Object.entries(limits)) {
    if (Number.isSafeInteger(value) && value > 0) continue;
    throw new SkillError("option-invalid", `The limit '${name}' must be a whole number above 0, not ${String(value)}.`);
  }
  return { ...limits, time: Math.min(limits.time, LONGEST_TIMER) };
}

/** A longer timer would end at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

const DEFAULT_LIMITS: ScriptLimits = {
  time: 60_000,
  output: 1_000_000,
  memory: 512 * 1024 * 1024,
  processes: 64,
  files: 100_000_000,
};
