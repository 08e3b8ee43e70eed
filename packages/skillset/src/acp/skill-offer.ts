import type { OperationNames } from "../core/session-rules.ts";
import { isStored } from "../core/skill.ts";
import { prepareTurn } from "../core/turn.ts";
import { namesOf } from "../tools/operations.ts";
import type { AgentOptions } from "./agent-options.ts";
import type { Conversation } from "./conversation.ts";

export interface SkillOffer {
  /** What the prompt says of skills; empty when there is nothing to say. */
  readonly skills: string;
  /** What the caller wrote, with the instructions of the skill that it invokes by name. */
  readonly text: string;
  /** Skills that the agent has no way to load. */
  readonly unreachable: readonly string[];
}

/** What a prompt says of skills, by the way in which the agent can come to them, and by what it was told before. */
export async function offerSkills(
  conversation: Conversation,
  text: string,
  { catalog = {}, inject = false, operations = {} }: AgentOptions,
  signal: AbortSignal,
): Promise<SkillOffer> {
  const { session, live, told } = conversation;
  const isFirst = told.length === 0;
  const offered = session.skillset.skills.filter(({ modelInvocable }) => modelInvocable);
  const isInjected = live === undefined && inject;
  const messages = [...told.map((one) => ({ isUser: false, text: one })), { isUser: true, text }];
  const turn = await prepareTurn(session, messages, {
    ...(isInjected && { mode: "inject", inject: offered.map(({ name }) => name) }),
    catalog: { ...catalog, ...(live === undefined && { location: "path" }) },
    fileRead: live === undefined,
    operations: namesOf(operations),
    signal,
  });
  // What the agent's model still has of the conversation is not known, so that instructions are given whenever asked for.
  session.observe([]);
  const prompt = isFirst ? turn.prompt : "";
  const announce = live === undefined && prompt !== "" ? announceFor(namesOf(operations)) : "";
  const notice = turn.notice === conversation.lastNotice ? "" : turn.notice;
  conversation.lastNotice = turn.notice;
  return {
    skills: [prompt, announce, notice].filter((section) => section !== "").join("\n\n"),
    text: (turn.replaced.get(told.length) ?? [text]).join("\n\n"),
    unreachable:
      live === undefined && !isInjected ? offered.filter((skill) => !isStored(skill)).map(({ name }) => name) : [],
  };
}

/** Some agents have no MCP, but say which tools they want called. */
function announceFor({ activate, read, call }: OperationNames): string {
  const tools = [
    ...(activate === undefined ? [] : [`\`${activate}\` with { name }`]),
    ...(read === undefined ? [] : [`\`${read}\` with { skill, path }`]),
    ...(call === undefined ? [] : [`\`${call}\` with { skill, tool, input }`]),
  ];
  return `If you cannot read files but can call tools of this client: ${tools.join(", ")}.`;
}
