import { SkillError } from "../core/base/errors.ts";
import type { ScriptHost } from "../core/host/script-host.ts";
import type { ToolsetHost, ToolsetRequest } from "../core/host/toolset-host.ts";
import type { Redactor } from "../core/script/redactor.ts";
import type { ScriptResult } from "../core/script/script.ts";
import type { ScriptOptions } from "../core/script/script-options.ts";
import { inProcessToolsets } from "./in-process-toolsets.ts";
import { TOOLSET_PROGRAMS, type ToolsetProgramInput, type ToolsetProgramOutput } from "./toolset-program.ts";

/** Where the tools of toolsets run. */
export type ToolsetMode = "off" | "sandbox" | "in-process";

interface ToolsetHostParts {
  readonly scripts: ScriptOptions | undefined;
  /** Undefined if no runner works, or if a profile switches scripts off. */
  readonly host: ScriptHost | undefined;
  /** Whether a profile forbids code without a sandbox. */
  readonly isNarrowed: boolean;
}

/** Creates what runs toolsets, as the option `toolsets` says. */
export function createToolsetHost(
  mode: Exclude<ToolsetMode, "off">,
  { scripts, host, isNarrowed }: ToolsetHostParts,
): ToolsetHost {
  if (mode === "in-process") return isNarrowed ? disabledToolsets(mode) : inProcessToolsets();
  if (mode !== "sandbox")
    throw new SkillError("option-invalid", `'toolsets' must be "off", "sandbox" or "in-process", not '${mode}'.`);
  if (scripts === undefined)
    throw new SkillError("option-invalid", `'toolsets: "sandbox"' needs the option 'scripts', which names the runner.`);
  return host === undefined
    ? disabledToolsets("none")
    : { level: host.level, run: (request) => runContained(host, request) };
}

/** Refuses every toolset, and says why. */
export function disabledToolsets(level: string): ToolsetHost {
  return { level, run: () => Promise.reject(new SkillError("scripts-disabled", "scripts are disabled")) };
}

/** Runs the module like a script of the skill. */
async function runContained(host: ScriptHost, request: ToolsetRequest): Promise<unknown> {
  const { session, skill, digest, file, call, signal } = request;
  const marker = `skillset-result-${crypto.randomUUID()} `;
  const input: ToolsetProgramInput = { marker, file, export: request.export, ...(call && { call }) };
  let redactor: Redactor | undefined;
  const result = await host.run({
    session,
    skill,
    script: TOOLSET_PROGRAMS[/\.m?ts$/.test(file) ? "typescript" : "javascript"],
    args: [],
    input,
    files: {},
    signal,
    onOutput: () => {},
    refusal: async (copied) => (copied === digest ? request.refusal() : CHANGED),
    secrets: async () => {
      const supplied = await request.secrets();
      if (typeof supplied !== "string") redactor = supplied.redactor;
      return supplied;
    },
  });
  const output = outputOf(result, marker);
  // The line is redacted, but it may spell a value with escapes that JSON resolves.
  if ("error" in output) throw new Error(redactor?.text(output.error) ?? output.error);
  return redactor?.value(output.value) ?? output.value;
}

const CHANGED = "the skill was changed meanwhile. Try again";

function outputOf(result: ScriptResult, marker: string): ToolsetProgramOutput {
  if (result.outcome === "refused") throw new SkillError("script-refused", result.reason);
  const line = result.stdout.split("\n").findLast((one) => one.startsWith(marker));
  if (line !== undefined) {
    const output = parse(line.slice(marker.length));
    if (output !== undefined) return output;
    // Its name replaced a number, and the line is no JSON any more.
    if (result.outcome === "exited") throw new SkillError("toolset-failed", "its result contained a secret");
  }
  throw new SkillError("toolset-failed", reasonFor(result));
}

/** Undefined if the tool was stopped in the middle of the line, or if a secret was replaced in it. */
function parse(text: string): ToolsetProgramOutput | undefined {
  try {
    return JSON.parse(text) as ToolsetProgramOutput;
  } catch {
    return undefined;
  }
}

function reasonFor(result: Exclude<ScriptResult, { outcome: "refused" }>): string {
  if (result.outcome !== "exited") return REASONS[result.outcome];
  const words = result.stderr.trim().split("\n").at(-1) ?? "";
  return `it ended without a result${words === "" ? "" : `: ${words}`}`;
}

const REASONS = {
  "timed-out": "it took too long",
  "output-limit": "it printed too much",
  "memory-limit": "it used too much memory",
  "process-limit": "it started too many processes",
  aborted: "it was cancelled",
} as const;
