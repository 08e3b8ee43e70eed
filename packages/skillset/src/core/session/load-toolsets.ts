import { SkillError } from "../base/errors.ts";
import { hostedBy, hostOf } from "../host/skill-host.ts";
import { IN_PROCESS, type ToolsetHost, type ToolsetRequest } from "../host/toolset-host.ts";
import { modulePaths, parseToolset } from "../manifest/toolsets.ts";
import type { CallHooks, ConsentRequest } from "../script/script.ts";
import type { Skill, SkillTool } from "../skill/skill.ts";
import { listTools } from "../skill/tool-docs.ts";
import { toModelMessage } from "../text/model-message.ts";
import { toDescribedTools } from "../tool/described-tools.ts";
import { askConsent, hooksOf } from "./ask-consent.ts";
import { isTrusted } from "./check-call.ts";
import type { Conversation, SessionSkills } from "./conversation.ts";
import { variableNames } from "./session-secrets.ts";

/** The tools of a skill's toolsets, and the toolsets that are unavailable. */
export interface LoadedToolsets {
  readonly tools: readonly ToolsetTool[];
  readonly failures: readonly ToolsetFailure[];
}

/** A tool with the module that it comes from. */
interface ToolsetTool extends SkillTool {
  readonly source: ToolsetSource;
}

interface ToolsetSource extends Pick<ToolsetRequest, "file" | "export" | "digest"> {
  readonly toolset: string;
}

interface ToolsetFailure {
  readonly toolset: string;
  /** The module, if it was found. */
  readonly file: string | undefined;
  readonly reason: string;
}

interface LoadUse {
  readonly signal?: AbortSignal | undefined;
  readonly scripts?: CallHooks | undefined;
}

export const NO_TOOLSETS: LoadedToolsets = { tools: [], failures: [] };

/** Whether a trusted skill has toolsets, and something runs them. */
export function hasToolsets(skillset: SessionSkills): boolean {
  return hostedBy("toolsets", skillset).some((skill) => skill.toolsets !== undefined && isTrusted(skill));
}

/** Loads a skill's toolsets, once for each version of the skill. A toolset that cannot be loaded does not throw. */
export async function loadToolsets(context: Conversation, skill: Skill, use: LoadUse): Promise<LoadedToolsets> {
  const host = hostOf(context.skillset, skill).toolsets;
  const { toolsets = [] } = skill;
  if (host === undefined || toolsets.length === 0) return NO_TOOLSETS;
  const loaded = isTrusted(skill)
    ? await context.resources.loadInOrder(() => load(context, host, skill, use))
    : refuse(toolsets);
  for (const failure of loaded.failures) {
    const key = ["toolset", skill.name, failure.toolset, failure.reason].join("\0");
    context.recordOnce(key, { type: "toolset-failed", skill: skill.name, ...failure });
  }
  return loaded;
}

/** Returns the tools that can be called now: those of an active skill. */
export async function toolsetTools(context: Conversation, skill: Skill, use: LoadUse): Promise<LoadedToolsets> {
  const host = hostOf(context.skillset, skill).toolsets;
  if (host === undefined || skill.toolsets === undefined) return NO_TOOLSETS;
  if (!context.memory.active.has(skill.name))
    throw new SkillError("tool-not-found", `Activate skill '${skill.name}' before you call its tools.`);
  const { tools, failures } = await loadToolsets(context, skill, use);
  return { failures, tools: tools.map((tool) => ({ ...tool, handler: handlerFor(context, host, skill, tool, use) })) };
}

/** Documents the tools for a model, and says what is unavailable. */
export function documentToolsets({ tools, failures }: LoadedToolsets): string {
  const lines = failures.map((failure) => `\n\n${describeFailure(failure)}`);
  return listTools(tools) + lines.join("");
}

export function describeFailure({ toolset, reason }: ToolsetFailure): string {
  return `The toolset '${toolset}' is unavailable: ${reason.replace(/\.$/, "")}.`;
}

function refuse(toolsets: readonly string[]): LoadedToolsets {
  const reason = "the skill is not trusted";
  return { tools: [], failures: toolsets.map((toolset) => ({ toolset, file: undefined, reason })) };
}

async function load(context: Conversation, host: ToolsetHost, skill: Skill, use: LoadUse): Promise<LoadedToolsets> {
  const digest = await skill.digest(use.signal && { signal: use.signal });
  const version = `${skill.name}\0${digest}\0${host.level}`;
  const known = context.resources.toolsets.get(version);
  if (known !== undefined) return known;
  const tools: ToolsetTool[] = [];
  const failures: ToolsetFailure[] = [];
  let asked: Promise<string | undefined> | undefined;
  for (const toolset of skill.toolsets ?? []) {
    let file: string | undefined;
    try {
      const name = parseToolset(toolset);
      file = name && (await findModule(skill, modulePaths(name)));
      if (name === undefined || file === undefined) throw new SkillError("resource-not-found", MISSING);
      const source: ToolsetSource = { toolset, file, export: name.export, digest };
      // One answer is for all toolsets of the skill.
      const refusal = () => (asked ??= ask(context, host, skill, source, use));
      const described = await runModule(context, host, skill, source, { ...use, refusal });
      tools.push(...addTools(described, source, [...skill.tools, ...tools]));
    } catch (error) {
      use.signal?.throwIfAborted();
      // Somebody will answer, and the call is repeated then.
      if (error instanceof SkillError && error.code === "consent-required") throw error;
      failures.push({ toolset, file, reason: toModelMessage(error) });
    }
  }
  const loaded = { tools, failures };
  // Without somebody to ask, a later call may succeed.
  const isFinal = failures.length === 0 || host.level === IN_PROCESS || hooksOf(context, skill, use.scripts).consent;
  if (isFinal) context.resources.toolsets.set(version, loaded);
  return loaded;
}

const MISSING = "its module does not exist in the skill";

async function findModule(skill: Skill, paths: readonly string[]): Promise<string | undefined> {
  const files = new Set((await skill.files.list()).filter(({ kind }) => kind === "file").map(({ path }) => path));
  return paths.find((path) => files.has(path));
}

/** Checks what a module describes. */
function addTools(described: unknown, source: ToolsetSource, taken: readonly SkillTool[]): readonly ToolsetTool[] {
  const tools = toDescribedTools(described);
  const clash = tools.find(({ name }) => taken.some((other) => other.name === name));
  if (clash !== undefined) throw new SkillError("toolset-failed", `the skill already has a tool named '${clash.name}'`);
  // A handler is added for each call, because it needs the call's consent.
  return tools.map((tool) => ({ ...tool, source, handler: () => undefined }));
}

function handlerFor(
  context: Conversation,
  host: ToolsetHost,
  skill: Skill,
  { name: tool, source }: ToolsetTool,
  { scripts }: LoadUse,
): SkillTool["handler"] {
  return (input: unknown, { signal }) => {
    // A copy: what the tool gets must be what somebody consented to.
    const call = { tool, input: structuredClone(input) };
    const refusal = () => ask(context, host, skill, source, { signal, scripts }, call);
    return runModule(context, host, skill, source, { signal, scripts, refusal, call });
  };
}

function runModule(
  context: Conversation,
  host: ToolsetHost,
  skill: Skill,
  { file, export: name, digest }: ToolsetSource,
  { signal = new AbortController().signal, scripts, refusal, call }: LoadUse & Pick<ToolsetRequest, "call" | "refusal">,
): Promise<unknown> {
  const { id: session, resources } = context;
  return host.run({
    session,
    skill,
    digest,
    file,
    export: name,
    signal,
    refusal,
    secrets: () => resources.secrets.supply(hooksOf(context, skill, scripts).secrets, skill, { digest, signal }),
    ...(call && { call }),
  });
}

function ask(
  context: Conversation,
  { level }: ToolsetHost,
  skill: Skill,
  { digest, file: script, toolset: name }: ToolsetSource,
  { signal = new AbortController().signal, scripts }: LoadUse,
  call?: ToolsetRequest["call"],
): Promise<string | undefined> {
  const { consent, secrets } = hooksOf(context, skill, scripts);
  const env = secrets === undefined ? [] : variableNames(skill);
  const toolset = { name, ...(call && { tool: call.tool }) };
  const asked = { skill: skill.name, digest, script, args: [], files: {}, toolset, level, signal };
  const request: ConsentRequest = env.length === 0 ? asked : { ...asked, env };
  return askConsent(context, consent, call ? { ...request, input: call.input } : request);
}
