import type { ModelTool } from "../../../core/operations/model-tool.ts";
import { announcedToolOf, argumentNames } from "../../bridge/own-tools.ts";
import type { ThinkEvent } from "../../options/think-event.ts";
import type { AgentUpdates } from "../updates/agent-updates.ts";

interface AnnouncedOptions {
  readonly updates: AgentUpdates;
  readonly tools: readonly ModelTool[];
  /** The IDs of calls that were refused. */
  readonly refused: ReadonlySet<string>;
  readonly signal: AbortSignal;
  /** Called before each call. */
  readonly before: () => void;
  readonly emit: (event: ThinkEvent) => void;
}

/** Runs the tool calls that the agent announced, if it calls no tools itself. */
export async function callAnnounced(options: AnnouncedOptions): Promise<readonly { tool: string; text: string }[]> {
  const { updates, tools, refused, signal, before, emit } = options;
  const results: { tool: string; text: string }[] = [];
  for (const call of updates.open) {
    const name = announcedToolOf(call, argumentNames(tools));
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined || refused.has(call.toolCallId)) continue;
    before();
    const { text, isError } = await tool.execute(call.rawInput ?? {}, { signal });
    const status = isError ? "failed" : "completed";
    const content = [{ type: "content" as const, content: { type: "text" as const, text } }];
    emit(updates.note({ toolCallId: call.toolCallId, status, content }));
    results.push({ tool: tool.name, text });
  }
  signal.throwIfAborted();
  return results;
}
