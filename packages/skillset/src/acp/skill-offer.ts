import { toModelMessage } from "../core/model-message.ts";
import type { Session } from "../core/session.ts";
import { type OperationNames, rulesFor } from "../core/session-rules.ts";
import { isStored } from "../core/skill.ts";
import { hasChanged, prepareTurn } from "../core/turn.ts";
import { namesOf } from "../tools/operations.ts";
import type { AgentOptions } from "./agent-options.ts";
import type { Conversation } from "./conversation.ts";
import { SKILLS_SERVER } from "./own-tools.ts";
import type { ToolNaming } from "./tool-naming.ts";

export interface SkillOffer {
  /** What the prompt says of skills; empty when there is nothing to say. */
  readonly skills: string;
  /** What the caller wrote, with the instructions of the skill that it invokes by name. */
  readonly text: string;
  /** Skills that the agent has no way to load. */
  readonly unreachable: readonly string[];
}

/** What a prompt says of skills, by the way in which the agent can load them, and by what it was told before. */
export async function offerSkills(
  conversation: Conversation,
  text: string,
  options: AgentOptions,
  signal: AbortSignal,
): Promise<SkillOffer> {
  const { session, live } = conversation;
  const offered = session.skillset.skills.filter(({ modelInvocable }) => modelInvocable);
  const names = offered.map(({ name }) => name);
  if (live === undefined && options.inject) return injectSkills(conversation, names, text, signal);
  const { catalog = {}, operations = {} } = options;
  const texts = await invoke(conversation, text, signal);
  const { recalled, outdated } = await reviewActive(conversation, texts, signal);
  // What the agent's model still has of the conversation is not known, so instructions are given whenever asked for.
  session.observe([]);
  signal.throwIfAborted();
  const told = conversation.toldSkills.tell(session, {
    outdated,
    catalog: { ...catalog, ...(live === undefined && { location: "path" }) },
    rules: live === undefined ? fileRules(namesOf(operations)) : toolRules(namesOf(operations), conversation.naming),
  });
  return {
    skills: [...told, ...recalled].join("\n\n"),
    text: texts.join("\n\n"),
    unreachable: live === undefined ? offered.filter((skill) => !isStored(skill)).map(({ name }) => name) : [],
  };
}

/** The instructions of all skills, for an agent that does not call our tools. */
async function injectSkills(
  conversation: Conversation,
  inject: readonly string[],
  text: string,
  signal: AbortSignal,
): Promise<SkillOffer> {
  const { session, told } = conversation;
  const turn = await prepareTurn(session, [{ isUser: true, text }], { mode: "inject", inject, signal });
  session.observe([]);
  const isTold = turn.notice === "" || told.some((one) => one.includes(turn.notice));
  const texts = turn.replaced.get(0) ?? [text];
  return { skills: isTold ? "" : turn.notice, text: texts.join("\n\n"), unreachable: [] };
}

/** The text, with the instructions of the skill that it invokes in place of the skill's name. */
async function invoke({ session, told }: Conversation, text: string, signal: AbortSignal): Promise<readonly string[]> {
  const invocation = session.invocation(text);
  if (invocation === undefined) return [text];
  const { skill, arguments: words } = invocation;
  session.observe(told);
  const { text: instructions } = await session.activate(skill.name, { by: "user", arguments: words, signal });
  return words === "" ? [instructions] : [instructions, words];
}

/** Instructions that the agent was never given, as when the session comes from a store, and those that have changed. */
async function reviewActive({ session, told }: Conversation, texts: readonly string[], signal: AbortSignal) {
  const seen = [...told, ...texts];
  const recalled: string[] = [];
  const outdated: string[] = [];
  for (const name of session.active) {
    const isHeld = await session.holds(name, seen, { signal }).catch(() => false);
    signal.throwIfAborted();
    const [newest = ""] = session.given(name);
    if (!isHeld) recalled.push(await recall(session, name, signal));
    else if (hasChanged(session, name) && !seen.some((one) => one.includes(newest))) outdated.push(name);
  }
  return { recalled: recalled.filter((section) => !told.some((one) => one.includes(section))), outdated };
}

/** An active skill that cannot be read now must not end the conversation: the model is told instead. */
async function recall(session: Session, name: string, signal: AbortSignal): Promise<string> {
  try {
    return await session.recall(name, { signal });
  } catch (error) {
    signal.throwIfAborted();
    return `The instructions of skill '${name}' cannot be read now: ${toModelMessage(error)}`;
  }
}

function toolRules(names: OperationNames, naming: ToolNaming): string {
  const shown = Object.fromEntries(Object.entries(names).map(([key, name]) => [key, naming.name(SKILLS_SERVER, name)]));
  const owner = naming.owner(SKILLS_SERVER);
  const rules = rulesFor([], { operations: shown });
  return owner === "" ? rules : `${rules}\nUse the tools${owner}, not others of the same name.`;
}

/** Some agents have no MCP, but say which tools they want called. */
function fileRules({ activate, read, call }: OperationNames): string {
  const tools = [
    ...(activate === undefined ? [] : [`\`${activate}\` with { name }`]),
    ...(read === undefined ? [] : [`\`${read}\` with { skill, path }`]),
    ...(call === undefined ? [] : [`\`${call}\` with { skill, tool, input }`]),
  ];
  const announce = `If you cannot read files but can call tools of this client: ${tools.join(", ")}.`;
  return `${rulesFor([], { fileRead: true })}\n\n${announce}`;
}
