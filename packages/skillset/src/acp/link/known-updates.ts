import type { AnyMessage, SessionUpdate, Stream } from "@agentclientprotocol/sdk";

/** The session updates that become events. */
const USED: ReadonlySet<unknown> = new Set<SessionUpdate["sessionUpdate"]>([
  "agent_message_chunk",
  "agent_thought_chunk",
  "tool_call",
  "tool_call_update",
  "plan",
]);

/**
 * The stream of an agent without session updates that nobody uses. Agents send kinds that the protocol does not have
 * yet, and the SDK would report each of them as an error on the console.
 */
export function withKnownUpdates({ readable, writable }: Stream): Stream {
  const filter = new TransformStream<AnyMessage, AnyMessage>({
    transform: (message, controller) => {
      if (!isUnused(message)) controller.enqueue(message);
    },
  });
  return { readable: readable.pipeThrough(filter), writable };
}

/** Whatever is not plainly an update of another kind is left to the SDK, which knows what to answer. */
function isUnused(message: unknown): boolean {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { update?: { sessionUpdate?: unknown } } };
  const kind = method === "session/update" ? params?.update?.sessionUpdate : undefined;
  return typeof kind === "string" && !USED.has(kind);
}
