import { SkillError } from "../../../core/base/errors.ts";
import { summarise } from "../../../core/operations/render-script-result.ts";
import type { ConsentAnswer, ConsentRequest, ScriptOutput, ScriptResult } from "../../../core/script/script.ts";
import { variableNames } from "../../../core/session/session-secrets.ts";
import type { Session } from "../../../core/session.ts";
import type { Skill } from "../../../core/skill/skill.ts";
import { resolvePath } from "../../../node/load/sources.ts";
import { requireScripts } from "../../command-line/script-options.ts";
import { askConsent } from "../../terminal/ask-consent.ts";
import type { Io } from "../../terminal/io.ts";
import { createPaint } from "../../terminal/paint.ts";
import { grouped, printable, printableLines, shownPath } from "../../terminal/printable.ts";
import { write, writeJson, writeLine } from "../../terminal/write.ts";
import type { FoundSkill } from "./find-skill.ts";
import { copyFiles, keepInTemporaryFolder } from "./keep-files.ts";
import { resolveScript } from "./resolve-script.ts";

/** The exit code if skillset itself failed. */
export const DID_NOT_RUN = 125;

interface RunScriptUse {
  readonly args: readonly string[];
  readonly input: unknown;
  /** The variables to pass to the script. */
  readonly env?: readonly string[];
  readonly output?: string;
  readonly overwrite?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Runs a script for a person: asks, shows the output as it is written, and keeps the files. Returns the exit code. */
export async function runScript(found: FoundSkill, given: string, use: RunScriptUse, io: Io): Promise<number> {
  const { skillset, skill } = found;
  const { args, input, yes = false, json = false } = use;
  const { signal } = io;
  const script = resolveScript(skill.name, given, await skill.files.list(undefined, { signal }));
  await requireScripts(skillset, io);
  await compareVariables(skill, use, io);
  const session = await skillset.session();
  const live = new LiveOutput(io, json);
  const result = await session.scripts.run(skill.name, script, {
    args,
    input,
    signal: AbortSignal.any([signal, live.closed]),
    consent: (request: ConsentRequest): ConsentAnswer | Promise<ConsentAnswer> =>
      yes ? "once" : askConsent(io, request),
    onOutput: (output) => live.add(output),
  });
  await live.end();
  const kept = await keep(session, result, use, io);
  if (json) await writeJson(io.stdout, kept.folder === undefined ? result : { ...result, folder: kept.folder });
  else await describe(result, kept.folder, io);
  if (kept.failure !== undefined) throw kept.failure;
  return exitCodeOf(result);
}

/** Throws if the skill does not require a variable that was named, and notes those that are not passed on. */
async function compareVariables(skill: Skill, { env = [], json = false }: RunScriptUse, io: Io): Promise<void> {
  const required = variableNames(skill);
  const unknown = env.find((name) => !required.includes(name));
  if (unknown !== undefined) {
    const field = "Only names in its 'metadata.env' are passed to its scripts.";
    throw new SkillError(
      "option-invalid",
      `Skill '${skill.name}' does not require the variable '${unknown}'. ${field}`,
    );
  }
  if (json || env.length > 0 || required.length === 0) return;
  const options = required.map((name) => `--env ${name}`).join(" ");
  const note = `The skill requires ${required.join(", ")}, which its scripts do not get. To pass it on, add: ${options}`;
  await writeLine(io.stderr, createPaint(io.stderr, io.env)("dim", printable(note)));
}

/** Writes output in order while the script runs. */
class LiveOutput {
  readonly #io: Io;
  readonly #isSilent: boolean;
  readonly #closed = new AbortController();
  #written: Promise<unknown> = Promise.resolve();
  #endsLine = true;

  constructor(io: Io, isSilent: boolean) {
    this.#io = io;
    this.#isSilent = isSilent;
  }

  /** Aborted when nobody reads the output anymore, as in `skillset run … | head`. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  add({ stream, text }: ScriptOutput): void {
    if (this.#isSilent || text === "") return;
    const output = this.#io[stream];
    if (output.isTTY) this.#endsLine = text.endsWith("\n");
    this.#written = this.#written.then(() => write(output, [output.isTTY ? printableLines(text) : text]));
    this.#written.catch(() => this.#closed.abort());
  }

  /** Ends the last line on a terminal, so that the summary starts on a new one. */
  async end(): Promise<void> {
    await this.#written;
    if (!this.#endsLine) await write(this.#io.stderr, ["\n"]);
  }
}

interface Kept {
  readonly folder?: string;
  readonly failure?: unknown;
}

/** Keeps the files in a temporary folder if they cannot be copied to the named one. */
async function keep({ scripts }: Session, { files }: ScriptResult, use: RunScriptUse, io: Io): Promise<Kept> {
  if (files.length === 0) return {};
  const { outputs } = scripts;
  if (use.output === undefined) return { folder: await keepInTemporaryFolder(outputs, files) };
  const folder = resolvePath(use.output, io.cwd);
  try {
    await copyFiles(outputs, files, folder, use.overwrite ?? false);
    return { folder };
  } catch (failure) {
    return { folder: await keepInTemporaryFolder(outputs, files), failure };
  }
}

async function describe(result: ScriptResult, folder: string | undefined, io: Io): Promise<void> {
  const paint = createPaint(io.stderr, io.env);
  const isGood = result.outcome === "exited" && result.exitCode === 0;
  const lines = [paint(isGood ? "dim" : "red", printable(summarise(result)))];
  if (result.hint !== undefined) lines.push(paint("yellow", printable(result.hint)));
  if (folder !== undefined) lines.push(`Files in ${shownPath(folder, io)}:`);
  for (const { path, size } of result.files) lines.push(`  ${printable(path)} (${grouped(size)} bytes)`);
  for (const { path, reason } of result.droppedFiles) lines.push(`'${printable(path)}' was removed: ${reason}.`);
  await writeLine(io.stderr, ...lines);
}

function exitCodeOf(result: ScriptResult): number {
  switch (result.outcome) {
    case "exited":
      return result.exitCode;
    case "timed-out":
      return 124;
    case "refused":
      return DID_NOT_RUN;
    case "aborted":
      return 130;
    default:
      return 137;
  }
}
