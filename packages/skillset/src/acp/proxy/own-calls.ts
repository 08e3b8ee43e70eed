import type { ToolCallUpdate } from "@agentclientprotocol/sdk";
import type { ModelTool } from "../../core/operations/model-tool.ts";
import { argumentNames, ownToolOf } from "../bridge/own-tools.ts";
import { type Fields, fieldsOf, textOf } from "./message.ts";

/** Follows the tool calls that an agent reports in one session, to recognise those of our tools. */
export class OwnCalls {
  readonly #open = new Map<string, Partial<ToolCallUpdate>>();

  /** Records an update of a call. Agents report a call in several parts. */
  note(update: Fields): void {
    const id = textOf(update.toolCallId);
    // A new call may have the id of an older one, but is not for the same tool.
    if (update.sessionUpdate === "tool_call") this.#open.delete(id);
    if (update.status === "completed" || update.status === "failed") this.#open.delete(id);
    else if (id !== "") this.#open.set(id, this.#with(id, update));
    const [oldest] = this.#open.keys();
    if (this.#open.size > MOST_CALLS && oldest !== undefined) this.#open.delete(oldest);
  }

  /** The turn has ended, and its calls with it. */
  clear(): void {
    this.#open.clear();
  }

  /** Returns which of the tools a call is for, if it is certainly one of them. */
  toolOf(call: Fields, tools: readonly ModelTool[]): string | undefined {
    return ownToolOf(this.#with(textOf(call.toolCallId), call), argumentNames(tools));
  }

  /** The id of the newest open call of a tool. */
  find(tool: string, tools: readonly ModelTool[]): string | undefined {
    const calls = [...this.#open].filter(([, call]) => ownToolOf(call, argumentNames(tools)) === tool);
    return calls.at(-1)?.[0];
  }

  #with(id: string, { title, name, kind, rawInput, _meta }: Fields): Partial<ToolCallUpdate> {
    const told = {
      ...(typeof title === "string" && { title: sketch(title) }),
      ...(typeof name === "string" && { name: sketch(name) }),
      ...(typeof kind === "string" && { kind: sketch(kind) }),
      ...(rawInput != null && { rawInput: sketch(rawInput) }),
      ...(_meta != null && { _meta: sketch(_meta) }),
    };
    return { ...this.#open.get(id), ...told } as Partial<ToolCallUpdate>;
  }
}

/** An agent may report calls that never end. */
const MOST_CALLS = 200;
const MOST_CHARACTERS = 200;

/** The keys of an input and its short values: enough to recognise a call, however long the input is. */
function sketch(value: unknown): unknown {
  // Not a slice, which would keep the whole text in memory.
  if (typeof value === "string") return value.length > MOST_CHARACTERS ? "…" : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return [];
  const entries = Object.entries(fieldsOf(value)).slice(0, MOST_CALLS);
  return Object.fromEntries(entries.map(([key, one]) => [key, typeof one === "object" ? {} : sketch(one)]));
}
