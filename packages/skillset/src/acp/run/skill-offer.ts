import { NAMES } from "../../core/base/limits.ts";
import { contextOf } from "../../core/context-of.ts";
import { namedOperations, type OperationOptions } from "../../core/operations/bind-operations.ts";
import { FILE_RULES, operationRules } from "../../core/operations/operation-rules.ts";
import type { SessionContext } from "../../core/session/context.ts";
import { isStored } from "../../core/skill/skill.ts";

import type { AgentConversation } from "../bridge/conversation.ts";

import type { ToolNaming } from "../bridge/tool-naming.ts";
import type { AgentOptions } from "../options/agent-options.ts";

export interface SkillOffer {
  /** The skill section of the prompt; empty if there is nothing to add. */
  readonly skills: string;
  /** The caller's text, with the instructions of a skill that it invokes by name and with notes on changes. */
  readonly text: string;
  /** Skills that the agent cannot load. */
  readonly unreachable: readonly string[];
}

/**
 * Finds out whether the catalog will leave out names. The agent lists the tools before it gets the catalog, and the
 * search is one of them only then.
 */
export function foreseeOmissions({ session }: AgentConversation, { catalog = {} }: AgentOptions): void {
  const context = contextOf(session);
  const { countTokens, memory } = context;
  const { omitted } = memory.catalog ?? session.skillset.catalog({ countTokens, ...catalog });
  context.omitsNames = omitted.length > 0;
}

/** Returns the skill section of a prompt, depending on how the agent can load skills and what it already received. */
export async function offerSkills(
  conversation: AgentConversation,
  text: string,
  { catalog = {}, inject = false, operations = {} }: AgentOptions,
  signal: AbortSignal,
): Promise<SkillOffer> {
  const { session, live, told, naming } = conversation;
  const offered = session.skillset.skills.filter(({ modelInvocable }) => modelInvocable);
  const context = contextOf(session);
  const isInjected = live === undefined && inject;
  const turn = await session.turn([...told, { role: "user", text }], {
    ...(isInjected && { mode: "inject", inject: offered.map(({ name }) => name) }),
    catalog: { ...catalog, ...(live === undefined && { location: "path" }) },
    operations,
    rules: live === undefined ? fileRules(context, operations) : toolRules(context, operations, naming),
    signal,
  });
  // The agent keeps the history, so unchanged instructions are not sent again.
  const instructions = turn.instructions === conversation.instructions ? "" : turn.instructions;
  conversation.offered = turn.instructions;
  return {
    skills: instructions,
    text: turn.messages.at(-1)?.text ?? text,
    unreachable:
      live === undefined && !isInjected ? offered.filter((skill) => !isStored(skill)).map(({ name }) => name) : [],
  };
}

/** The rules, with the operation names that the agent shows its model. */
function toolRules(context: SessionContext, operations: OperationOptions, naming: ToolNaming): string {
  const shown = namedOperations(context, operations).map(({ definition, name }) => ({
    definition,
    name: naming.name(NAMES.library, name),
  }));
  const owner = naming.owner(NAMES.library);
  const rules = operationRules(shown);
  return owner === "" ? rules : `${rules}\nUse the tools${owner}, not others of the same name.`;
}

/** Some agents have no MCP, but announce tool calls. */
function fileRules(context: SessionContext, operations: OperationOptions): string {
  const tools = namedOperations(context, operations).flatMap(({ definition: { rule, required }, name }) =>
    rule === undefined ? [] : [`\`${name}\` with { ${required.join(", ")} }`],
  );
  return `${FILE_RULES}\n\nIf you cannot read files but can call tools of this client: ${tools.join(", ")}.`;
}
