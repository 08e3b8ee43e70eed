import type { AnyMessage, SessionUpdate, Stream } from "@agentclientprotocol/sdk";

/** The session updates that are turned into events. */
const USED: ReadonlySet<unknown> = new Set<SessionUpdate["sessionUpdate"]>([
  "agent_message_chunk",
  "agent_thought_chunk",
  "tool_call",
  "tool_call_update",
  "plan",
]);

/**
 * Filters out session updates that this library does not use. Agents send kinds that the protocol does not define yet,
 * and the SDK would log each of them as an error.
 */
export function withKnownUpdates({ readable, writable }: Stream): Stream {
  const filter = new TransformStream<AnyMessage, AnyMessage>({
    transform: (message, controller) => {
      if (!isUnused(message)) controller.enqueue(message);
    },
  });
  return { readable: readable.pipeThrough(filter), writable };
}

/** Only updates of an unknown kind are dropped; the SDK handles all other messages. */
function isUnused(message: unknown): boolean {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { update?: { sessionUpdate?: unknown } } };
  const kind = method === "session/update" ? params?.update?.sessionUpdate : undefined;
  return typeof kind === "string" && !USED.has(kind);
}
