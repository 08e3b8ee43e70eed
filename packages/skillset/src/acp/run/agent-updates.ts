import type { SessionUpdate, ToolCall, ToolCallContent, ToolCallUpdate } from "@agentclientprotocol/sdk";
import { LIMITS } from "../../core/base/limits.ts";
import type { ThinkEvent } from "../plan/think-event.ts";

/** Makes events of what an agent tells, and puts together what it tells of its tool calls bit by bit. */
export class AgentUpdates {
  readonly #calls = new Map<string, ToolCallUpdate>();

  /** The event for an update; none for what is of no interest in a run. */
  eventOf(update: SessionUpdate): ThinkEvent | undefined {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
      case "agent_thought_chunk": {
        const type = update.sessionUpdate === "agent_message_chunk" ? "message" : "thought";
        return update.content.type === "text" ? { type, text: update.content.text } : undefined;
      }
      case "tool_call":
      case "tool_call_update":
        return this.note(update);
      case "plan": {
        const entries = update.entries.map(({ content, status, priority }) => ({ content, status, priority }));
        return { type: "plan", entries };
      }
      default:
        return undefined;
    }
  }

  /** Notes what was told, and gives the event for it. */
  note(update: ToolCall | ToolCallUpdate): ThinkEvent {
    const { toolCallId: id } = update;
    const before = this.#calls.get(id);
    const call = this.with(update);
    this.#keep(call);
    const title = call.title ?? call.name ?? "";
    const input = call.rawInput === undefined ? {} : { input: call.rawInput };
    if (isOver(call) && (before === undefined || !isOver(before))) {
      const outcome = call.status === "completed" ? "succeeded" : "failed";
      return { type: "tool-done", id, title, outcome, text: textOf(call.content ?? []) };
    }
    return { type: before === undefined ? "tool-started" : "tool-updated", id, title, ...input };
  }

  /** What is known of a call, with what is told of it now; changes nothing. */
  with(update: ToolCallUpdate): ToolCallUpdate {
    return { ...this.#calls.get(update.toolCallId), ...definedOf(update) } as ToolCallUpdate;
  }

  /** Bounded, because an agent may work for hours, and what its calls gave may be long. */
  #keep(call: ToolCallUpdate): void {
    const { content: _content, rawOutput: _rawOutput, ...rest } = call;
    this.#calls.set(call.toolCallId, isOver(call) ? rest : call);
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > LIMITS.agent.followedCalls && oldest !== undefined) this.#calls.delete(oldest);
  }

  /** Those that the agent has not told the end of. */
  get open(): readonly ToolCallUpdate[] {
    return [...this.#calls.values()].filter((call) => !isOver(call));
  }
}

function definedOf(update: ToolCall | ToolCallUpdate): Partial<ToolCallUpdate> {
  return Object.fromEntries(Object.entries(update).filter(([, value]) => value != null));
}

function isOver({ status }: ToolCallUpdate): boolean {
  return status === "completed" || status === "failed";
}

function textOf(content: readonly ToolCallContent[]): string {
  return content
    .flatMap((part) => (part.type === "content" && part.content.type === "text" ? [part.content.text] : []))
    .join("\n");
}
