import { scriptCall } from "../allowed-tools/judged-call.ts";
import { SkillError } from "../base/errors.ts";
import { DEFAULTS } from "../base/limits.ts";
import type { ActivatedBy } from "../conversation/state.ts";
import type { ScriptHost, ScriptRequest } from "../host/script-host.ts";
import { HOOKS } from "../script/check-hooks.ts";
import type { CallHooks, ScriptHooks, ScriptResult } from "../script/script.ts";
import { askConsent, hooksOf } from "../session/ask-consent.ts";
import { checkCall, isGranted } from "../session/check-call.ts";
import type { Conversation } from "../session/conversation.ts";
import { variableNames } from "../session/session-secrets.ts";
import type { Skill } from "../skill/skill.ts";
import type { OptionTable } from "../text/check-options.ts";
import { escapeSkillTags } from "../text/escape.ts";
import { normaliseRelative } from "../text/relative-path.ts";
import { type OperationDefinition, stringArgument } from "./operation.ts";
import { cutMiddle, renderScriptResult } from "./render-script-result.ts";
import { scriptHostOf } from "./script-host-of.ts";

export interface RunInput {
  readonly skill: string;
  readonly script: string;
  readonly args: readonly string[];
  readonly input: unknown;
  readonly files: Readonly<Record<string, string>>;
}

/** The result of a script that was started, without its command. Long output is cut in the middle. */
export type ScriptData = WithoutCommand<Exclude<ScriptResult, { readonly outcome: "refused" }>>;

type WithoutCommand<Result> = Result extends unknown ? Omit<Result, "command" | "json"> : never;

export const runSkillScript: OperationDefinition<"run_skill_script"> = {
  id: "run_skill_script",
  title: "Run skill script",
  description:
    "Run a script that belongs to a skill, when its instructions ask for it. The script starts in the skill's folder, " +
    "which is read-only, and may write files to $OUTPUT_DIR. Files there stay for later scripts of this conversation.",
  properties: (skillName) => ({
    skill: skillName,
    script: { type: "string", description: "The script's path from the skill's folder, such as scripts/convert.py" },
    args: {
      type: "array",
      items: { type: "string" },
      description: "The arguments, one item each. $OUTPUT_DIR in an item becomes the path of the output folder.",
    },
    input: { description: "A value that the script reads from stdin as JSON" },
    files: {
      type: "object",
      additionalProperties: { type: "string" },
      description: "Text files to write to $OUTPUT_DIR first: path to content",
    },
  }),
  required: ["skill", "script"],
  readOnly: false,
  usesLoadedSkill: true,
  returns: "skill-output",
  isDefault: true,
  isOffered: ({ fixedList, canRunScripts, hasScripts }) => canRunScripts && (fixedList || hasScripts),
  rule: (name) => `Run a skill's scripts with \`${name}\`, when its instructions ask for it.`,
  read: (given) => ({
    skill: stringArgument(given, "skill"),
    script: stringArgument(given, "script"),
    args: argsOf(given),
    input: given.input,
    files: filesOf(given),
  }),
  execute: async (context, { skill, script, args, input, files }, { signal, by, scripts }) => {
    const result = await run(context, skill, script, { args, input, files, ...scripts, signal, by: by?.(skill) });
    if (result.outcome === "refused") throw new SkillError("script-refused", result.reason);
    return { text: escapeSkillTags(renderScriptResult(result)), data: forModel(result) };
  },
};

/** Options of `session.scripts.run()`. */
export interface RunScriptOptions extends ScriptHooks {
  /** The arguments. `$OUTPUT_DIR` in them becomes the path of the output folder. */
  readonly args?: readonly string[] | undefined;
  /** A value that the script reads from stdin as JSON. */
  readonly input?: unknown;
  /** Texts to write to the output folder first, by path. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** Ends the script and everything that it started. */
  readonly signal?: AbortSignal | undefined;
}

interface RunUse extends RunScriptOptions, CallHooks {
  readonly by?: ActivatedBy | undefined;
}

/** Runs one of a skill's scripts, after somebody consented. The runs of one session do not overlap. */
export async function run(context: Conversation, name: string, given: string, use: RunUse = {}): Promise<ScriptResult> {
  const { signal = new AbortController().signal, by = "model" } = use;
  for (const [option, value] of Object.entries({ name, script: given }))
    if (typeof value !== "string") throw new SkillError("option-invalid", `'${option}' must be a string.`);
  // Copies: what runs must be what somebody consented to, even if the caller changes it meanwhile.
  const [args, input, files] = [argsOf(use), copyOf(use.input), filesOf(use)];
  const content = { "skillset.script.path": given, "skillset.script.args": JSON.stringify(args) };
  const work = async (): Promise<ScriptResult> => {
    const skill = context.find(name, by);
    const host = scriptHostOf(context, skill, by === "host" ? "host" : "model");
    const script = normaliseRelative(given);
    const hooks = hooksOf(context, skill, use);
    const env = hooks.secrets === undefined ? [] : variableNames(skill);
    const named = env.length > 0 && { env };
    signal.throwIfAborted();
    const request: ScriptRequest = {
      session: context.id,
      skill,
      script,
      args,
      input,
      files,
      signal,
      onOutput: async (output) => {
        // A listener that rejects must not end the process.
        try {
          await hooks.onOutput?.({ ...output, skill: skill.name, script });
        } catch {}
      },
      refusal: async (digest) => {
        const call = scriptCall(skill, script, args);
        const decision = checkCall(context, call);
        if (!decision.allowed) return decision.message;
        if (hooks.grants !== false && isGranted(context, skill, call, digest)) return undefined;
        const question = { skill: skill.name, digest, script, args, input, files, level: host.level, signal, ...named };
        return askConsent(context, hooks.consent, question);
      },
      secrets: (digest) => context.resources.secrets.supply(hooks.secrets, skill, { digest, signal }),
    };
    const result = skill.isRemote ? refuseRemote(skill, script, host) : await host.run(request);
    const { level, outcome, milliseconds } = result;
    const exitCode = outcome === "exited" ? result.exitCode : undefined;
    context.record(
      { type: "script-run", skill: skill.name, script, level, outcome, exitCode, milliseconds, ...named },
      {
        "skillset.script.level": level,
        "skillset.script.outcome": outcome,
        ...(exitCode !== undefined && { "skillset.script.exit_code": exitCode }),
      },
    );
    return result;
  };
  const output = (result: ScriptResult) => ({ "skillset.script.output": renderScriptResult(result) });
  const follow = (): Promise<ScriptResult> =>
    context.resources.runInOrder(
      () => context.follow({ operation: "run", skill: name, content }, work, output),
      signal,
    );
  // A model's call that is cancelled has no result.
  return by === "host"
    ? follow().catch((error) => orAborted(error, context, { skill: name, script: given, signal }))
    : follow();
}

/** The result of a run that was aborted before the script started. */
function orAborted(
  error: unknown,
  context: Conversation,
  { skill, script, signal }: Pick<ScriptRequest, "script" | "signal"> & { readonly skill: string },
): ScriptResult {
  if (!signal.aborted || error !== signal.reason) throw error;
  const { level } = scriptHostOf(context, context.find(skill, "host"));
  const ran = { outcome: "aborted", command: [], stdout: "", stderr: "" } as const;
  return { ...ran, skill, script, level, milliseconds: 0, files: [], droppedFiles: [] };
}

/** The options of `session.scripts.run()`. */
export const RUN_OPTIONS: OptionTable<RunScriptOptions> = {
  ...HOOKS,
  args: true,
  input: true,
  files: true,
  signal: true,
};

/** A server can change its files at any time, and often nothing proves which ones somebody consented to. */
function refuseRemote({ name, provider = "a server" }: Skill, script: string, { level }: ScriptHost): ScriptResult {
  const reason = `The scripts of skill '${name}' may not run: it comes from ${provider}, and only scripts of local skills run.`;
  return { outcome: "refused", reason, skill: name, script, level, milliseconds: 0, files: [], droppedFiles: [] };
}

function argsOf({ args = [] }: { readonly args?: unknown }): readonly string[] {
  if (Array.isArray(args) && args.every((arg) => typeof arg === "string")) return [...args];
  throw new SkillError("option-invalid", "'args' must be a list of strings.");
}

function filesOf({ files = {} }: { readonly files?: unknown }): Readonly<Record<string, string>> {
  const isObject = typeof files === "object" && files !== null && !Array.isArray(files);
  const entries: readonly (readonly [string, unknown])[] = isObject ? Object.entries(files) : [];
  if (isObject && entries.every(isText)) return Object.fromEntries(entries);
  throw new SkillError("option-invalid", "'files' must be an object with paths and texts.");
}

function isText(entry: readonly [string, unknown]): entry is readonly [string, string] {
  return typeof entry[1] === "string";
}

function copyOf(input: unknown): unknown {
  if (input === undefined) return undefined;
  try {
    return JSON.parse(JSON.stringify(input));
  } catch {
    throw new SkillError("option-invalid", "'input' must be a value that JSON can express.");
  }
}

function forModel(result: Exclude<ScriptResult, { readonly outcome: "refused" }>): ScriptData {
  const { command: _command, json: _json, ...rest } = result;
  const most = DEFAULTS.scriptCharacters;
  return { ...rest, stdout: cutMiddle(result.stdout, most), stderr: cutMiddle(result.stderr, most) };
}
