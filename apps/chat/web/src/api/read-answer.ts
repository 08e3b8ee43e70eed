import type { UIMessageChunk } from "ai";

export interface ReadAnswerOptions {
  /** Asks for the rest of the answer, with the query of the request. */
  readonly open: (query: string, signal: AbortSignal) => Promise<Response>;
  /** Calls back when the network changes. Returns a function that ends it. */
  readonly onNetwork: (listener: () => void) => () => void;
  readonly signal?: AbortSignal | undefined;
  /** Called when the connection is lost, and when it is back. */
  readonly onConnection: (isConnected: boolean) => void;
}

/**
 * Reads an answer to its end. When the connection is lost, it asks for the parts after the last one it has, so that
 * nothing is missing or doubled. An answer that ended meanwhile ends the stream; the stored message is then complete.
 */
export function readAnswer(
  first: Response,
  { open, onNetwork, onConnection, signal }: ReadAnswerOptions,
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
            response ??= await open(`?after=${after}${id && `&id=${encodeURIComponent(id)}`}`, ending);
            if (response.status === 204) break;
            onConnection(true);
            for await (const event of eventsOf(response, ending, onNetwork)) {
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
          await waitBefore(attempt, ending, onNetwork);
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

/** Reads server-sent events. Ends when the network changes, because the old connection may then be dead. */
async function* eventsOf(
  { body }: Response,
  signal: AbortSignal,
  onNetwork: ReadAnswerOptions["onNetwork"],
): AsyncGenerator<ServerEvent> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const leave = () => void reader.cancel().catch(() => {});
  let silence: ReturnType<typeof setTimeout> | undefined;
  const forget = onNetwork(leave);
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
    forget();
    signal.removeEventListener("abort", leave);
    leave();
  }
}

/** The chat was deleted, or the server refuses to send its answer. Another attempt would not help. */
function isGone(error: unknown): boolean {
  const { status = 0 } = error as { status?: number };
  return status >= 400 && status < 500 && status !== 429;
}

async function waitBefore(
  attempt: number,
  signal: AbortSignal,
  onNetwork: ReadAnswerOptions["onNetwork"],
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.min(5_000, 100 * 2 ** Math.min(attempt, 6)));
  const forget = onNetwork(resolve);
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  forget();
  clearTimeout(timer);
}

/** The server sends something every 15 seconds. */
const LONGEST_SILENCE = 40_000;
