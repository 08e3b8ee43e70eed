import { lstatSync } from "node:fs";
import { join } from "node:path";
import { SkillError } from "../core/base/errors.ts";
import { oneAfterTheOther } from "../core/base/in-order.ts";
import { LIMITS } from "../core/base/limits.ts";
import type { ScriptHost, ScriptRequest } from "../core/host/script-host.ts";
import type { Redactor } from "../core/script/redactor.ts";
import type { ScriptEnd, ScriptLimits, ScriptResult, ScriptRunner } from "../core/script/script.ts";
import type { ScriptOptions } from "../core/script/script-options.ts";
import type { Skill } from "../core/skill/skill.ts";
import { checkOptions } from "../core/text/check-options.ts";
import { removeTree } from "../node/copy/remove-tree.ts";
import { hideInFiles } from "./hide-in-files.ts";
import { hideSecrets } from "./hide-secrets.ts";
import { type OutputFolder, OutputFolders } from "./output-folders.ts";
import { SkillCopies, type SkillCopy } from "./skill-copies.ts";
import { SkillPackages } from "./skill-packages.ts";

/** Creates what runs a skillset's scripts: copies the skill, asks, runs, and collects the files. */
export function createScriptHost(runner: ScriptRunner, options: ScriptOptions): ScriptHost {
  const { consent, grants, secrets, onOutput } = options;
  const limits = toLimits(options.limits);
  const copies = new SkillCopies();
  const folders = new OutputFolders(options, limits.files);
  const inOrder = new RunQueue();
  const packages = new SkillPackages(runner, options.packages);

  const runCopy = async (request: ScriptRequest, copy: SkillCopy): Promise<ScriptResult> => {
    const { folder, digest } = copy;
    const { skill, script, signal, session } = request;
    // Copying takes time, and nobody must be asked in vain.
    signal.throwIfAborted();
    checkScript(skill.name, script, folder);
    const reason = (await runner.cannotRun?.({ skillFolder: folder, script })) ?? (await request.refusal(digest));
    const supplied = reason ?? (await request.secrets(digest));
    signal.throwIfAborted();
    const start = performance.now();
    const done = (end: ScriptEnd, kept: KeptFiles): ScriptResult => ({
      ...end,
      skill: skill.name,
      script,
      level: runner.level,
      milliseconds: Math.round(performance.now() - start),
      ...("stdout" in end && jsonOf(end.stdout)),
      ...kept,
    });
    if (typeof supplied === "string")
      return done({ outcome: "refused", reason: supplied }, { files: [], droppedFiles: [] });
    const { env, redactor } = supplied;
    const output = await folders.open(
      session,
      request.files,
      redactor.isEmpty ? undefined : { redactor, time: limits.time },
    );
    let keeping: Promise<KeptFiles> | undefined;
    const keep = (dropped: KeptFiles["droppedFiles"] = []): Promise<KeptFiles> => {
      keeping ??= keepFiles(output, redactor, { signal, dropped });
      return keeping;
    };
    try {
      const declared = await packages.declaredBy(copy);
      const packagesFolder = await packages.folderFor(declared);
      const job = {
        ...toJob(request),
        ...(packagesFolder && { packagesFolder }),
        ...(Object.keys(env).length > 0 && { env }),
        skillFolder: folder,
        outputFolder: output.path,
        limits,
      };
      const end = await hideSecrets(redactor, job, runner);
      const hint = packagesFolder === undefined ? packages.hintFor(skill.name, end, declared) : undefined;
      const result = {
        ...done(end, await keep("droppedFiles" in end ? end.droppedFiles : [])),
        ...(hint && { hint }),
      };
      return "json" in result && !redactor.isEmpty ? { ...result, json: redactor.value(result.json) } : result;
    } catch (error) {
      // The first error says more.
      await keep().catch(() => {});
      throw error;
    }
  };

  const withCopy = async <Result>(
    { skill, signal }: { readonly skill: Skill; readonly signal: AbortSignal },
    work: (copy: SkillCopy) => Promise<Result>,
  ): Promise<Result> => {
    const copy = await copies.of(skill, signal);
    try {
      return await work(copy);
    } finally {
      copy.release();
    }
  };

  return {
    ...(consent && { consent }),
    ...(grants !== undefined && { grants }),
    ...(secrets && { secrets }),
    ...(onOutput && { onOutput }),
    level: runner.level,
    outputs: (session) => {
      const files = folders.files(session);
      return {
        list: (directory, options) => files.list(directory, options),
        read: (path, options) => files.read(path, options),
        write: async (path, bytes, { signal = new AbortController().signal } = {}) => {
          await inOrder.add({ session, signal }, async () => folders.write(session, { [path]: bytes }));
        },
      };
    },
    removeOutputs: (session) => folders.remove(session),
    run: (request) => inOrder.add(request, () => withCopy(request, (copy) => runCopy(request, copy))),
    prepare: (request) =>
      withCopy(request, async (copy) => {
        const declared = await packages.declaredBy(copy);
        const start = performance.now();
        const end = await packages.prepare(request, declared, copy.digest);
        const milliseconds = Math.round(performance.now() - start);
        return { ...end, skill: request.skill.name, level: runner.level, declared, milliseconds };
      }),
    packagesOf: (skill, signal) =>
      withCopy({ skill, signal }, async (copy) => packages.status(await packages.declaredBy(copy))),
  };
}

type KeptFiles = Pick<ScriptResult, "files" | "droppedFiles">;

/** Collects what a run wrote, without secrets. If they cannot be replaced, its files are removed. */
async function keepFiles(
  output: OutputFolder,
  redactor: Redactor,
  { signal, dropped }: { readonly signal: AbortSignal; readonly dropped: KeptFiles["droppedFiles"] },
): Promise<KeptFiles> {
  const found = await output.collect();
  const collected = { ...found, droppedFiles: [...dropped, ...found.droppedFiles].slice(0, LIMITS.shown.names) };
  try {
    const kept = await hideInFiles(output.kept, collected, redactor, { signal });
    output.settle();
    return kept;
  } catch (error) {
    for (const { path } of collected.touched) removeTree(join(output.kept, path));
    output.settle();
    throw error;
  }
}

/** Runs one script of a session at a time, also if several session objects have the same id: they share a folder. */
class RunQueue {
  readonly #sessions = new Map<string, { readonly inOrder: ReturnType<typeof oneAfterTheOther>; waiting: number }>();

  async add<Result>(
    { session, signal }: Pick<ScriptRequest, "session" | "signal">,
    work: () => Promise<Result>,
  ): Promise<Result> {
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

/** Without deeply nested JSON, which programs that follow it cannot handle. */
function jsonOf(stdout: string): { json?: unknown } {
  try {
    const json: unknown = JSON.parse(stdout);
    return isNested(json, DEEPEST_JSON) ? {} : { json };
  } catch {
    return {};
  }
}

const DEEPEST_JSON = 500;

function isNested(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => isNested(one, levels - 1));
}

function toLimits(given: Partial<ScriptLimits> = {}): ScriptLimits {
  checkOptions("The option 'scripts.limits'", given, DEFAULT_LIMITS);
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
