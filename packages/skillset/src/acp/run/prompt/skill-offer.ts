import { LIMITS, NAMES } from "../../../core/base/limits.ts";
import type { CatalogOptions } from "../../../core/catalog/catalog.ts";
import { discloseIn, namedOperationsIn, showCatalogIn } from "../../../core/in-session.ts";
import type { NamedOperations, OperationOptions } from "../../../core/operations/bind-operations.ts";
import { FILE_RULES, operationRules } from "../../../core/operations/operation-rules.ts";
import type { Session } from "../../../core/session.ts";
import { isStored, type Skill } from "../../../core/skill/skill.ts";
import { searchFor } from "../../../core/turn/show-catalog.ts";
import { turnOperations } from "../../../core/turn/tools.ts";
import type { TurnMessage } from "../../../core/turn/turn.ts";
import type { ToolNaming } from "../../bridge/tool-naming.ts";
import type { AgentOptions } from "../../options/agent-options.ts";

export interface SkillOffer {
  /** The skill section of the prompt; empty if there is nothing to add. */
  readonly skills: string;
  /** The caller's text, with the instructions of a skill that it invokes by name and with notes on changes. */
  readonly text: string;
  /** What the text now has in front of the caller's words. */
  readonly before: readonly string[];
  /** The caller's words, without the names of the skills that they invoke. */
  readonly words: string;
  /** Skills that the agent cannot load, and whose instructions the prompt has no room for. */
  readonly unreachable: readonly string[];
  /** The catalog and how to use it, whether or not the prompt repeats them. */
  readonly instructions: string;
}

/** What an agent has been sent so far. */
export interface AgentHistory {
  /** The prompts and the instructions of skills. */
  readonly messages: readonly TurnMessage[];
  /** The last catalog and how to use it; empty if the agent may not have kept them. */
  readonly instructions: string;
}

/** The agent that skills are offered to. */
interface OfferedTo {
  readonly skills: Session;
  readonly history: AgentHistory;
  /** Whether the agent can call our tools. */
  readonly hasTools: boolean;
  readonly naming: ToolNaming;
}

/** Returns the skill section of a prompt, depending on how the agent can load skills and what it already received. */
export async function offerSkills(
  agent: OfferedTo,
  text: string,
  { catalog = {}, inject = false, operations = {}, suggest = false }: AgentOptions,
  signal: AbortSignal,
): Promise<SkillOffer> {
  const { skills, history, hasTools, naming } = agent;
  const offered = skills.skillset.skills.filter(({ modelInvocable }) => modelInvocable);
  const isInjected = !hasTools && inject;
  const shown = { ...findOthers(agent, operations), ...catalog, ...(!hasTools && { location: PATH }) };
  // The rules depend on what the catalog leaves out.
  if (!isInjected) showCatalogIn(skills, shown, operations);
  const named = namedOperationsIn(skills, operations, { catalog });
  const turn = await skills.turn([...history.messages, { role: "user", text }], {
    ...(isInjected && { mode: "inject", inject: offered.map(({ name }) => name) }),
    catalog: shown,
    operations,
    suggest,
    rules: hasTools ? toolRules(named, naming) : fileRules(named),
    signal,
  });
  // Nothing else shows skills in code to an agent that only reads files.
  const { texts, omitted } =
    !hasTools && !isInjected ? await writeOut(skills, offered, signal) : { texts: [], omitted: [] };
  // The agent keeps the history, so unchanged instructions are not sent again.
  const instructions = [
    ...(turn.instructions === history.instructions ? [] : [turn.instructions]),
    ...texts.filter((instructions) => !history.messages.some(({ text }) => text.includes(instructions))),
  ];
  const sent = turn.messages.at(-1);
  const words = turn.invoked[0]?.arguments ?? text;
  return {
    skills: instructions.join("\n\n"),
    text: sent?.text ?? text,
    before: sent?.texts?.slice(0, words === "" ? undefined : -1) ?? [],
    words,
    unreachable: omitted,
    instructions: turn.instructions,
  };
}

/** The instructions of skills in code, and the names of those for which there is no room. */
async function writeOut(skills: Session, offered: readonly Skill[], signal: AbortSignal) {
  const [texts, omitted]: [string[], string[]] = [[], []];
  let room = LIMITS.agent.writtenOutCharacters;
  for (const skill of offered.filter((skill) => !isStored(skill))) {
    const { text } = await discloseIn(skills, skill, { toolsets: false, signal });
    if (text.length > room) omitted.push(skill.name);
    else texts.push(text);
    room -= text.length > room ? 0 : text.length;
  }
  return { texts, omitted };
}

const PATH = "path" as const;

/** How the agent finds skills that the catalog leaves out: with an operation, under the name that the agent shows, or in their folders. */
function findOthers({ hasTools, naming, skills }: OfferedTo, operations: OperationOptions): CatalogOptions {
  if (hasTools) {
    const { aliases, include } = turnOperations(operations);
    const name = naming.name(NAMES.library, aliases?.search_skills?.name ?? "search_skills");
    return include?.includes("search_skills") ? { findOthers: searchFor(name) } : {};
  }
  const roots = new Set(skills.skillset.skills.filter(isStored).map(({ origin: { root } }) => root));
  const places = [...roots].slice(0, MOST_FOLDERS + 1);
  if (places.length === 0 || places.length > MOST_FOLDERS) return {};
  return { findOthers: `list ${places.map((place) => `\`${place}\``).join(", ")} to find them` };
}

/** More folders than this would cost more than they help. */
const MOST_FOLDERS = 3;

/** The rules, with the operation names that the agent shows its model. */
function toolRules(named: NamedOperations, naming: ToolNaming): string {
  const shown = named.map(({ definition, name }) => ({
    definition,
    name: naming.name(NAMES.library, name),
  }));
  const owner = naming.owner(NAMES.library);
  const rules = operationRules(shown);
  return owner === "" ? rules : `${rules}\nUse the tools${owner}, not others of the same name.`;
}

/** Some agents have no MCP, but announce tool calls. */
function fileRules(named: NamedOperations): string {
  const tools = named.flatMap(({ definition: { rule, required }, name }) =>
    rule === undefined ? [] : [`\`${name}\` with { ${required.join(", ")} }`],
  );
  return `${FILE_RULES}\n\nIf you cannot read files but can call tools of this client: ${tools.join(", ")}.`;
}
