import type { AgentContext, PermissionOption, SessionUpdate, StopReason } from "@agentclientprotocol/sdk";
import { isObject } from "../wire/json.ts";
import type { AgentServers, AgentTool, ToolOutcome } from "./agent-servers.ts";
import { askModel, type ChatCall, type ChatMessage } from "./ask-model.ts";

export interface AgentTurn {
  readonly sessionId: string;
  readonly client: AgentContext;
  readonly modelUrl: string;
  readonly servers: AgentServers;
  /** The session's history, to which the turn adds. */
  readonly messages: ChatMessage[];
  readonly asksPermission: boolean;
  /** Tools that the client has always allowed. */
  readonly alwaysAllowed: Set<string>;
  readonly announces?: readonly string[];
  readonly signal: AbortSignal;
}

/** Asks the model and runs the calls in its answers, until it makes none or the turn is cancelled. */
export async function runTurn(turn: AgentTurn): Promise<StopReason> {
  const { servers, messages, announces, signal } = turn;
  try {
    for (let refresh = true; ; refresh = false) {
      const tools = await servers.tools({ refresh, signal });
      const offered = announces?.map((name) => ({ name, inputSchema: { type: "object" } })) ?? tools;
      const { text, calls, finish } = await askModel(turn.modelUrl, withInstructions(turn), offered, signal);
      messages.push({ role: "assistant", content: text || null, ...(calls.length > 0 && { tool_calls: calls }) });
      if (text !== "") await update(turn, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
      if (calls.length === 0) return STOP_REASONS[finish] ?? "end_turn";
      for (const call of calls) {
        await announce(turn, call);
        if (announces === undefined && (await makeCall(turn, call, tools)) === "cancelled") return "cancelled";
      }
      if (announces !== undefined) return "end_turn";
    }
  } catch (error) {
    if (signal.aborted) return "cancelled";
    throw error;
  } finally {
    answerOpenCalls(messages);
  }
}

function withInstructions({ servers, messages }: AgentTurn): readonly ChatMessage[] {
  const content = servers.instructions;
  return content === "" ? messages : [{ role: "system", content }, ...messages];
}

async function announce(turn: AgentTurn, { id, function: { name, arguments: input } }: ChatCall): Promise<void> {
  const rawInput = parseInput(input) ?? input;
  await update(turn, { sessionUpdate: "tool_call", toolCallId: id, title: name, status: "pending", rawInput });
}

async function makeCall(turn: AgentTurn, call: ChatCall, tools: readonly AgentTool[]): Promise<"made" | "cancelled"> {
  const permission = turn.asksPermission ? await askPermission(turn, call) : "allowed";
  if (permission === "cancelled") return "cancelled";
  const { text, isError } = permission === "allowed" ? await callTool(turn, call, tools) : REFUSED;
  await update(turn, {
    sessionUpdate: "tool_call_update",
    toolCallId: call.id,
    status: isError ? "failed" : "completed",
    content: [{ type: "content", content: { type: "text", text } }],
  });
  turn.messages.push({ role: "tool", tool_call_id: call.id, content: text });
  return "made";
}

async function askPermission(turn: AgentTurn, call: ChatCall): Promise<"allowed" | "refused" | "cancelled"> {
  const { sessionId, client, alwaysAllowed, signal } = turn;
  const { name, arguments: input } = call.function;
  if (alwaysAllowed.has(name)) return "allowed";
  const { outcome } = await client.request(
    "session/request_permission",
    {
      sessionId,
      toolCall: { toolCallId: call.id, title: name, name, rawInput: parseInput(input) ?? input },
      options: PERMISSIONS,
    },
    { cancellationSignal: signal, stopWaitingOnCancel: true },
  );
  if (outcome.outcome === "cancelled") return "cancelled";
  if (outcome.optionId === "allow-always") alwaysAllowed.add(name);
  return outcome.optionId.startsWith("allow") ? "allowed" : "refused";
}

async function callTool({ signal }: AgentTurn, call: ChatCall, tools: readonly AgentTool[]): Promise<ToolOutcome> {
  const tool = tools.find(({ name }) => name === call.function.name);
  if (tool === undefined) return { text: `There is no tool '${call.function.name}'.`, isError: true };
  const input = parseInput(call.function.arguments);
  if (input === undefined) return { text: "The arguments are not a JSON object.", isError: true };
  try {
    return await tool.call(input, signal);
  } catch (error) {
    signal.throwIfAborted();
    return { text: `The call failed: ${(error as Error).message}`, isError: true };
  }
}

/** Models reject a history in which a call has no result. */
function answerOpenCalls(messages: ChatMessage[]): void {
  const answered = new Set(messages.map((message) => (message.role === "tool" ? message.tool_call_id : "")));
  const calls = messages.flatMap((message) => (message.role === "assistant" ? (message.tool_calls ?? []) : []));
  for (const { id } of calls.filter((call) => !answered.has(call.id))) {
    messages.push({ role: "tool", tool_call_id: id, content: "The agent did not make this call." });
  }
}

async function update({ sessionId, client }: AgentTurn, change: SessionUpdate): Promise<void> {
  await client.notify("session/update", { sessionId, update: change });
}

function parseInput(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const STOP_REASONS: Readonly<Record<string, StopReason | undefined>> = {
  length: "max_tokens",
  content_filter: "refusal",
};

const PERMISSIONS: PermissionOption[] = [
  { optionId: "allow-once", kind: "allow_once", name: "Allow" },
  { optionId: "allow-always", kind: "allow_always", name: "Always allow" },
  { optionId: "reject-once", kind: "reject_once", name: "Refuse" },
];

const REFUSED: ToolOutcome = { text: "The user refused this call.", isError: true };
