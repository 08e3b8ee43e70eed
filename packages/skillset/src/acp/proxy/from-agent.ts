import type { RequestPermissionRequest } from "@agentclientprotocol/sdk";
import { decide } from "../options/permissions.ts";
import { type Fields, fieldsOf, listOf, rewriteLine, textOf, toLine } from "./message.ts";
import type { ProxySessions } from "./proxy-sessions.ts";
import { unwrapContext, unwrapTitle } from "./transcript.ts";

/** What the editor gets instead of an agent's message, and what the agent gets back. */
export interface AgentWork {
  readonly toEditor?: Buffer | string;
  readonly toAgent?: string;
}

/** Handles a notification or request of the agent. */
export async function fromAgent(
  line: Buffer,
  { id, method, params }: Fields,
  sessions: ProxySessions,
  signal: AbortSignal,
): Promise<AgentWork> {
  const given = fieldsOf(params);
  if (method === "session/update") return { toEditor: updateFor(line, given, sessions) };
  if (method !== "session/request_permission") return { toEditor: line };
  const session = sessions.find(given.sessionId);
  if (!session?.isOwn(fieldsOf(given.toolCall)) || !Array.isArray(given.options)) return { toEditor: line };
  session.takeCalls();
  const { response } = await decide(given as unknown as RequestPermissionRequest, {}, { signal, isOwn: true });
  // Without an option that allows the call, the person decides.
  if (response.outcome.outcome === "cancelled") return { toEditor: line };
  return { toAgent: toLine({ jsonrpc: "2.0", id, result: response }) };
}

/** Handles the agent's answer to `session/list`. */
export function listFor(line: Buffer, result: Fields): Buffer | string {
  const isOurs = listOf(result.sessions).some((one) => isChanged(fieldsOf(one).title));
  if (!isOurs) return line;
  return rewriteLine(line, "result", (fields) => ({
    ...fields,
    sessions: listOf(fields.sessions).map((one) => withTitle(fieldsOf(one))),
  }));
}

function updateFor(line: Buffer, { sessionId, update }: Fields, sessions: ProxySessions): Buffer | string | undefined {
  const fields = fieldsOf(update);
  const change = (next: (update: Fields) => Fields): string =>
    rewriteLine(line, "params", (params) => ({ ...params, update: next(fieldsOf(params.update)) }));
  switch (fields.sessionUpdate) {
    case "tool_call":
    case "tool_call_update":
      sessions.find(sessionId)?.note(fields);
      return line;
    case "available_commands_update": {
      const announced = listOf(fields.availableCommands);
      const all = sessions.announce(textOf(sessionId), announced);
      return change((exact) => ({
        ...exact,
        availableCommands: [...listOf(exact.availableCommands), ...all.slice(announced.length)],
      }));
    }
    case "user_message_chunk": {
      const { type, text } = fieldsOf(fields.content);
      if (type !== "text" || typeof text !== "string") return line;
      const typed = unwrapContext(text);
      if (typed === text) return line;
      return typed === ""
        ? undefined
        : change((exact) => ({ ...exact, content: { ...fieldsOf(exact.content), text: typed } }));
    }
    case "session_info_update":
      return isChanged(fields.title) ? change(withTitle) : line;
    default:
      return line;
  }
}

function isChanged(title: unknown): boolean {
  return typeof title === "string" && unwrapTitle(title) !== title;
}

function withTitle(fields: Fields): Fields {
  return isChanged(fields.title) ? { ...fields, title: unwrapTitle(textOf(fields.title)) ?? null } : fields;
}
