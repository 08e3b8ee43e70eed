import type { SessionUpdate, ToolCall, ToolCallUpdate } from "@agentclientprotocol/sdk";
import { LIMITS } from "../../../core/base/limits.ts";
import type { ThinkEvent } from "../../options/think-event.ts";
import type { ToolReport } from "../../options/tool-report.ts";
import { TerminalOutputs } from "./terminal-outputs.ts";
import { contentsOf, locationsOf, textIn } from "./tool-contents.ts";

/** Converts an agent's updates into events, and merges partial updates of its tool calls. */
export class AgentUpdates {
  readonly #calls = new Map<string, ToolCallUpdate>();
  readonly #terminals = new TerminalOutputs();

  /** Returns the event for an update, or undefined if a run does not use it. */
  eventOf(update: SessionUpdate): ThinkEvent | undefined {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
      case "agent_thought_chunk": {
        const type = update.sessionUpdate === "agent_message_chunk" ? "message" : "thought";
        return update.content.type === "text" ? { type, text: update.content.text } : undefined;
      }
      case "tool_call":
        return this.#start(update);
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
  note(update: ToolCallUpdate): ThinkEvent {
    this.#terminals.note(update);
    return this.#record(this.with(update), this.#calls.get(update.toolCallId));
  }

  /** Returns the call merged with the update, without recording it. */
  with(update: ToolCallUpdate): ToolCallUpdate {
    return { ...this.#calls.get(update.toolCallId), ...definedOf(update) } as ToolCallUpdate;
  }

  /** Agents may use the id of a finished call again. A new call has nothing of an older one. */
  #start(update: ToolCall): ThinkEvent {
    const before = this.#calls.get(update.toolCallId);
    this.#terminals.note(update);
    const isAgain = before !== undefined && !isOver(before);
    return this.#record(definedOf(update) as ToolCallUpdate, isAgain ? before : undefined);
  }

  #record(call: ToolCallUpdate, before: ToolCallUpdate | undefined): ThinkEvent {
    this.#keep(call);
    const report = this.#reportOf(call);
    if (isOver(call) && (before === undefined || !isOver(before))) {
      const outcome = call.status === "completed" ? "succeeded" : "failed";
      return { type: "tool-done", ...report, outcome, text: textIn(report.contents) };
    }
    const input = call.rawInput === undefined ? {} : { input: call.rawInput };
    return { type: before === undefined ? "tool-started" : "tool-updated", ...report, ...input };
  }

  #reportOf({ toolCallId: id, title, name, kind, locations, content }: ToolCallUpdate): ToolReport {
    return {
      id,
      title: title ?? name ?? "",
      kind: kind ?? "other",
      locations: locationsOf(locations ?? []),
      contents: contentsOf(content ?? [], this.#terminals.of),
    };
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
