import { NAMES } from "../../core/base/limits.ts";
import { namedOperations, type OperationOptions } from "../../core/operations/bind-operations.ts";
import { FILE_RULES, operationRules } from "../../core/operations/operation-rules.ts";
import { isStored } from "../../core/skill/skill.ts";

import type { AgentConversation } from "../bridge/conversation.ts";

import type { ToolNaming } from "../bridge/tool-naming.ts";
import type { AgentOptions } from "../plan/agent-options.ts";

export interface SkillOffer {
  /** What the prompt says of skills; empty when there is nothing to say. */
  readonly skills: string;
  /** What the caller wrote, with the instructions of the skill that it invokes by name and with what has changed. */
  readonly text: string;
  /** Skills that the agent has no way to load. */
  readonly unreachable: readonly string[];
}

/** What a prompt says of skills, by the way in which the agent can load them, and by what it was told before. */
export async function offerSkills(
  conversation: AgentConversation,
  text: string,
  { catalog = {}, inject = false, operations = {} }: AgentOptions,
  signal: AbortSignal,
): Promise<SkillOffer> {
  const { session, live, told, naming } = conversation;
  const offered = session.skillset.skills.filter(({ modelInvocable }) => modelInvocable);
  const isInjected = live === undefined && inject;
  const turn = await session.turn([...told, { role: "user", text }], {
    ...(isInjected && { mode: "inject", inject: offered.map(({ name }) => name) }),
    catalog: { ...catalog, ...(live === undefined && { location: "path" }) },
    operations,
    rules: live === undefined ? fileRules(operations) : toolRules(operations, naming),
    signal,
  });
  // The agent keeps the conversation, so what it was told before is not sent again.
  const instructions = turn.instructions === conversation.instructions ? "" : turn.instructions;
  conversation.offered = turn.instructions;
  return {
    skills: instructions,
    text: turn.messages.at(-1)?.text ?? text,
    unreachable:
      live === undefined && !isInjected ? offered.filter((skill) => !isStored(skill)).map(({ name }) => name) : [],
  };
}

/** The operations under the names that the agent shows its model. */
function toolRules(operations: OperationOptions, naming: ToolNaming): string {
  const shown = namedOperations(operations).map(({ definition, name }) => ({
    definition,
    name: naming.name(NAMES.library, name),
  }));
  const owner = naming.owner(NAMES.library);
  const rules = operationRules(shown);
  return owner === "" ? rules : `${rules}\nUse the tools${owner}, not others of the same name.`;
}

/** Some agents have no MCP, but say which tools they want called. */
function fileRules(operations: OperationOptions): string {
  const tools = namedOperations(operations).flatMap(({ definition: { rule, required }, name }) =>
    rule === undefined ? [] : [`\`${name}\` with { ${required.join(", ")} }`],
  );
  return `${FILE_RULES}\n\nIf you cannot read files but can call tools of this client: ${tools.join(", ")}.`;
}
