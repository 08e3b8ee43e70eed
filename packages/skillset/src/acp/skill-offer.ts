import { namedOperations, type OperationOptions } from "../core/operations/bind-operations.ts";
import { isStored } from "../core/skill.ts";
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

/** What a prompt says of skills, by the way in which the agent can load them, and by what it was told before. */
export async function offerSkills(
  conversation: Conversation,
  text: string,
  { catalog = {}, inject = false, operations = {} }: AgentOptions,
  signal: AbortSignal,
): Promise<SkillOffer> {
  const { session, live, told } = conversation;
  const offered = session.skillset.skills.filter(({ modelInvocable }) => modelInvocable);
  const isInjected = live === undefined && inject;
  const turn = await session.turn([...told, { role: "user", text }], {
    ...(isInjected && { mode: "inject", inject: offered.map(({ name }) => name) }),
    catalog: { ...catalog, ...(live === undefined && { location: "path" }) },
    fileRead: live === undefined,
    operations: { include: ACP_OPERATIONS, ...operations },
    signal,
  });
  // The agent keeps the conversation, so what it was told before is not sent again.
  const instructions = turn.instructions === conversation.instructions ? "" : turn.instructions;
  conversation.instructions = turn.instructions;
  const announce = live === undefined && !isInjected && instructions !== "" ? announceFor(operations) : "";
  return {
    skills: [instructions, announce].filter((section) => section !== "").join("\n\n"),
    text: turn.messages.at(-1)?.text ?? text,
    unreachable:
      live === undefined && !isInjected ? offered.filter((skill) => !isStored(skill)).map(({ name }) => name) : [],
  };
}

/** An agent lists our tools once, so the tools of skills are called through one of them. */
const ACP_OPERATIONS = ["activate_skill", "read_skill_file", "call_skill_tool"] as const;

/** Some agents have no MCP, but say which tools they want called. */
function announceFor(operations: OperationOptions): string {
  const tools = namedOperations(operations).flatMap(({ definition, name }) => {
    const { required } = definition;
    return definition.rule === undefined ? [] : [`\`${name}\` with { ${required.join(", ")} }`];
  });
  return `If you cannot read files but can call tools of this client: ${tools.join(", ")}.`;
}
