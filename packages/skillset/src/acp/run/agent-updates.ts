import type { SessionUpdate, ToolCall, ToolCallContent, ToolCallUpdate } from "@agentclientprotocol/sdk";
import { LIMITS } from "../../core/base/limits.ts";
import type { ThinkEvent } from "../options/think-event.ts";

/** Converts an agent's updates into events, and merges partial updates of its tool calls. */
export class AgentUpdates {
  readonly #calls = new Map<string, ToolCallUpdate>();

  /** Returns the event for an update, or undefined if a run does not use it. */
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

  /** Records a tool call update and returns its event. */
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

  /** Returns the call merged with the update, without recording it. */
  with(update: ToolCallUpdate): ToolCallUpdate {
    return { ...this.#calls.get(update.toolCallId), ...definedOf(update) } as ToolCallUpdate;
  }

  /** Bounded, because an agent may run for hours and its tool output can be long. */
  #keep(call: ToolCallUpdate): void {
    const { content: _content, rawOutput: _rawOutput, ...rest } = call;
    this.#calls.set(call.toolCallId, isOver(call) ? rest : call);
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > LIMITS.agent.followedCalls && oldest !== undefined) this.#calls.delete(oldest);
  }

  /** The calls that the agent has not reported as finished. */
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
