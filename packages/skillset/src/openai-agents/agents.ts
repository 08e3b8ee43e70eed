import type { AgentInputItem, CallModelInputFilter, Tool } from "@openai/agents";
import type { Invocation } from "../core/invocation.ts";
import type { Session } from "../core/session.ts";
import { contentText, replaceContent } from "../tools/content.ts";
import { loadPeer } from "../tools/load-peer.ts";
import { orderActivations } from "../tools/model-tools.ts";
import { type ModelTurnOptions, prepareModelTurn } from "../tools/model-turn.ts";

export interface AgentSkillsOptions extends ModelTurnOptions {
  readonly instructions?: string;
  readonly tools?: readonly Tool[];
  readonly input: string | readonly AgentInputItem[];
}

/** `instructions` and `tools` for an `Agent`, and `input` for `run`. */
export interface AgentSkills {
  readonly instructions: string;
  readonly tools: Tool[];
  readonly input: AgentInputItem[];
  /** For `run` as well: instructions that a request holds are then not given again. */
  readonly callModelInputFilter: CallModelInputFilter;
  /** The skill that the last message named. */
  readonly invoked: Invocation | undefined;
}

/** Gives an agent of the OpenAI Agents SDK the session's skills. */
export async function withAgentSkills(session: Session, options: AgentSkillsOptions): Promise<AgentSkills> {
  const { instructions, tools = [], input, ...rest } = options;
  const { tool } = await loadPeer("@openai/agents", () => import("@openai/agents"));
  const items: readonly AgentInputItem[] =
    typeof input === "string" ? [{ type: "message", role: "user", content: input }] : input;
  const messages = items.map((item) => ({ isUser: "role" in item && item.role === "user", text: textOf(item) }));
  const turn = await prepareModelTurn(
    session,
    messages,
    rest,
    tools.map(({ name }) => name),
  );
  const ordered = orderActivations(session, turn.tools);
  const ours = ordered.tools.map(({ name, description, inputSchema, isOffered, execute }) =>
    tool({
      name,
      description,
      parameters: inputSchema as never,
      strict: false,
      isEnabled: async () => isOffered(),
      execute: async (given: unknown, _context, details) =>
        (await execute(given, details?.signal && { signal: details.signal })).text,
    }),
  );
  return {
    instructions: [instructions, ...turn.texts].filter(Boolean).join("\n\n"),
    tools: [...tools, ...ours],
    input: items.map((item, index) => {
      const texts = turn.replaced.get(index);
      if (texts === undefined || !("content" in item)) return item;
      return { ...item, content: replaceContent(item.content, texts, "input_text") } as AgentInputItem;
    }),
    callModelInputFilter: ({ modelData }) => {
      ordered.observe([...turn.texts, ...modelData.input.map(textOf)]);
      return modelData;
    },
    invoked: turn.invoked,
  };
}

function textOf(item: AgentInputItem): string {
  const content = "content" in item ? item.content : "output" in item ? item.output : undefined;
  return contentText(typeof content === "object" && !Array.isArray(content) ? [content] : content);
}
