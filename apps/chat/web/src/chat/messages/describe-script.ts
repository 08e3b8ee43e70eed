import type { ScriptEnd } from "skillset/scripts";
import type { Denial, LiveScript } from "../../../../shared/api.ts";
import { asRecord, type CallState, outcomeOf, type ToolPart, textOf } from "./describe-tool.ts";

export interface ScriptDescription {
  readonly skill: string;
  readonly script: string;
  /** The script and its arguments, as one would type them. */
  readonly command: string;
  /** The sandbox, if known. */
  readonly level: string;
  readonly state: CallState | LiveScript["state"];
  /** What it does or did, for people: "Running", "Did not run". */
  readonly verb: string;
  /** How it ended, in a word or two. */
  readonly word: string;
  /** Why it did not run, or why there is no result. */
  readonly reason: string;
  /** The rule that denied it. */
  readonly denied?: Denial | undefined;
  readonly outputs: readonly { readonly name: string; readonly text: string }[];
  readonly milliseconds: number | undefined;
  readonly files: readonly ScriptFile[];
  readonly dropped: readonly { readonly path: string; readonly reason: string }[];
}

export interface ScriptFile {
  readonly path: string;
  readonly size: number;
}

const NOTHING = { level: "", reason: "", outputs: [], milliseconds: undefined, files: [], dropped: [] };

/** Converts a script that asks or runs to the contents of its card. */
export function describeLive({ skill, script, args, level, state, output }: LiveScript): ScriptDescription {
  const [verb, word] = state === "asking" ? ["Wants to run", "needs consent"] : ["Running", "running"];
  const outputs = output === "" ? [] : [{ name: "output", text: output }];
  return { ...NOTHING, skill, script, command: commandOf(script, args), level, state, verb, word, outputs };
}

/** Converts a call in any state to the contents of its card. */
export function describeScript(part: ToolPart, isAnswerEnded: boolean): ScriptDescription {
  const input = asRecord(part.input);
  const script = textOf(input.script);
  const args = Array.isArray(input.args) ? input.args.map(String) : [];
  const named = { ...NOTHING, skill: textOf(input.name), script, command: commandOf(script, args) };
  const { state, body, denied } = outcomeOf(part, isAnswerEnded);
  if (state === "running") return { ...named, state, verb: "Running", word: "running" };
  if (!part.state.startsWith("output-")) {
    const reason = "The answer ended before this script finished.";
    return { ...named, state: "failed", verb: "Stopped", word: "stopped", reason };
  }
  if (state === "denied") return { ...named, state, verb: "May not run", word: "not allowed", denied };
  if (state === "failed") return { ...named, state, verb: "Did not run", word: "refused", reason: body };
  const data = asRecord(asRecord(part.output).data);
  const outputs = (["stdout", "stderr"] as const).map((name) => ({ name, text: textOf(data[name]) }));
  const isSuccess = data.outcome === "exited" && data.exitCode === 0;
  return {
    ...named,
    level: textOf(data.level),
    state: isSuccess ? "done" : "failed",
    verb: "Ran",
    word: data.outcome === "exited" ? `exit ${data.exitCode}` : (ENDS.get(textOf(data.outcome)) ?? "failed"),
    outputs: outputs.filter(({ text }) => text !== ""),
    milliseconds: typeof data.milliseconds === "number" ? data.milliseconds : undefined,
    files: listOf(data.files).map(({ path, size }) => ({ path: textOf(path), size: Number(size) })),
    dropped: listOf(data.droppedFiles).map(({ path, reason }) => ({ path: textOf(path), reason: textOf(reason) })),
  };
}

const ENDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "timed-out": "time limit",
    "output-limit": "output limit",
    "memory-limit": "memory limit",
    "process-limit": "process limit",
    aborted: "stopped",
  } satisfies Record<Exclude<ScriptEnd["outcome"], "exited" | "refused">, string>),
);

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(asRecord) : [];
}

function commandOf(script: string, args: readonly string[]): string {
  return [script, ...args].map(quote).join(" ");
}

function quote(word: string): string {
  return /^[\w./:=@%+,$-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
