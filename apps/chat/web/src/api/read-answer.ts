import type { UIMessageChunk } from "ai";
import { send } from "./request.ts";

export interface ReadAnswerOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called when the connection is lost, and when it is back. */
  readonly onConnection: (isConnected: boolean) => void;
}

/**
 * Reads an answer to its end. When the connection is lost, it asks for the parts after the last one it has, so that
 * nothing is missing or doubled. An answer that ended meanwhile ends the stream; the stored message is then complete.
 */
export function readAnswer(
  path: string,
  first: Response,
  { signal, onConnection }: ReadAnswerOptions,
): ReadableStream<UIMessageChunk> {
  const stopped = new AbortController();
  const ending = signal ? AbortSignal.any([signal, stopped.signal]) : stopped.signal;
  return new ReadableStream<UIMessageChunk>({
    async start(controller) {
      let [after, id] = [0, ""];
      let response: Response | undefined = first;
      try {
        for (let attempt = 0; ; attempt++) {
          try {
            response ??= await send(`${path}?after=${after}${id && `&id=${encodeURIComponent(id)}`}`, {
              signal: ending,
            });
            if (response.status === 204) break;
            onConnection(true);
            for await (const event of eventsOf(response, ending)) {
              attempt = 0;
              if (event.data === "[DONE]") return;
              after = event.id ?? after;
              for (const line of event.data.split("\n")) {
                const chunk = JSON.parse(line) as UIMessageChunk;
                if (chunk.type === "start") id = chunk.messageId ?? id;
                controller.enqueue(chunk);
              }
            }
          } catch (error) {
            if (ending.aborted || isGone(error)) return;
          }
          response = undefined;
          onConnection(false);
          await waitBefore(attempt, ending);
          if (ending.aborted) return;
        }
      } finally {
        onConnection(true);
        if (!stopped.signal.aborted) controller.close();
      }
    },
    cancel: () => stopped.abort(),
  });
}

interface ServerEvent {
  readonly id: number | undefined;
  readonly data: string;
}

/** Reads server-sent events. Ends when the browser is back online, because the old connection may be dead. */
async function* eventsOf({ body }: Response, signal: AbortSignal): AsyncGenerator<ServerEvent> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const leave = () => void reader.cancel().catch(() => {});
  let silence: ReturnType<typeof setTimeout> | undefined;
  addEventListener("online", leave);
  signal.addEventListener("abort", leave);
  try {
    let text = "";
    for (;;) {
      clearTimeout(silence);
      silence = setTimeout(leave, LONGEST_SILENCE);
      const { done, value } = await reader.read();
      if (done) return;
      const events = (text + value).split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) {
        const lines = event.split("\n");
        const data = lines.flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : []));
        const id = lines.find((line) => line.startsWith("id: "))?.slice(4);
        if (data.length > 0) yield { id: id === undefined ? undefined : Number(id), data: data.join("\n") };
      }
    }
  } finally {
    clearTimeout(silence);
    removeEventListener("online", leave);
    signal.removeEventListener("abort", leave);
    leave();
  }
}

/** The chat was deleted, or the server refuses to send its answer. Another attempt would not help. */
function isGone(error: unknown): boolean {
  const { status = 0 } = error as { status?: number };
  return status >= 400 && status < 500 && status !== 429;
}

async function waitBefore(attempt: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.min(5_000, 100 * 2 ** Math.min(attempt, 6)));
  addEventListener("online", () => resolve(), { once: true });
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
}

/** The server sends something every 15 seconds. */
const LONGEST_SILENCE = 40_000;
