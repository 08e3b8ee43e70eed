import type { OperationId } from "../../../packages/skillset/src/adapter/index.ts";
import { OPERATION_IDS } from "../../../packages/skillset/src/core/operations/all.ts";

/** Whether a surface offers an operation: always, only while scripts can run, or not at all, with the reason. */
export type Offer = "always" | "with scripts" | { readonly never: string };

export type Offers = { readonly [Id in OperationId]: Offer };

const ALL: Offers = {
  activate_skill: "always",
  read_skill_file: "always",
  call_skill_tool: "always",
  run_skill_script: "with scripts",
  search_skills: "always",
  deactivate_skill: "always",
};

/** The skills that a prompt's section lists are in folders. */
const LISTED: Offers = {
  ...ALL,
  call_skill_tool: { never: "tools of a section are separate functions" },
  deactivate_skill: { never: "the skills of a prompt need none" },
};

const CLAUDE: Offers = {
  ...LISTED,
  activate_skill: { never: "Claude Code reads SKILL.md itself, or opens the section" },
  search_skills: { never: "Claude Code lists the folder itself" },
};

const CHAT: Offers = {
  ...ALL,
  call_skill_tool: { never: "the chat loads no tools" },
  deactivate_skill: { never: "the person deactivates skills" },
};

/** Every way in which a model gets the operations. */
export const OFFERS = {
  "AI SDK, streamText": ALL,
  "AI SDK, ToolLoopAgent": ALL,
  "OpenAI Responses": ALL,
  "OpenAI Chat": ALL,
  "OpenAI Agents": ALL,
  "Anthropic Messages": ALL,
  "MCP, stdio, 2025": ALL,
  "MCP, stdio, 2026": ALL,
  "MCP, HTTP, 2025": ALL,
  "MCP, HTTP, 2026": ALL,
  "MCP, HTTP with a session, 2025": ALL,
  "ACP, HTTP bridge": ALL,
  "ACP, stdio bridge": ALL,
  "prompt, AI SDK": LISTED,
  "prompt, OpenAI Chat": LISTED,
  "prompt, Anthropic Messages": LISTED,
  "prompt, ACP": LISTED,
  "prompt, Claude Agent SDK": CLAUDE,
  chat: CHAT,
} satisfies Readonly<Record<string, Offers>>;

export type SurfaceName = keyof typeof OFFERS;

/** Returns why a surface does not offer an operation; undefined if it does. */
export function reasonAgainst(surface: SurfaceName, id: OperationId, hasScripts: boolean): string | undefined {
  const offer: Offer = OFFERS[surface][id];
  if (offer === "always") return undefined;
  if (offer === "with scripts") return hasScripts ? undefined : "no script can run";
  return offer.never;
}

/** The table in the docs. */
export function offersTable(): string {
  const rows = Object.entries<Offers>(OFFERS).map(([name, offers]) => [
    name,
    ...OPERATION_IDS.map((id) => cell(offers[id])),
  ]);
  const lines = [["", ...OPERATION_IDS.map((id) => `\`${id}\``)], ["---", ...OPERATION_IDS.map(() => "---")], ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function cell(offer: Offer): string {
  return typeof offer === "string" ? offer : offer.never;
}
