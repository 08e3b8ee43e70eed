import type { Follow } from "./answer-log.ts";
import type { LogPart } from "./running-log.ts";

export interface SendLogOptions {
  readonly follow: Follow;
  /** Closes the connection of a page that does not read. */
  readonly drop: () => void;
  /** Ends the response early: the page then continues on another server. */
  readonly signal?: AbortSignal;
  /** How much may wait for a page that does not read. */
  readonly bytes?: number;
}

/**
 * Sends a running answer as server-sent events. Each part is one event, with its sequence number as the id and a line of
 * data for each chunk, so that a page gets a part whole or not at all. The answer never waits for a page.
 */
export function sendLog({ follow, drop, signal, bytes = LARGEST_BACKLOG }: SendLogOptions): Response {
  const encoder = new TextEncoder();
  let stop = (): void => {};
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let isOpen = true;
        const close = (): void => {
          if (!isOpen) return;
          isOpen = false;
          end();
          controller.close();
        };
        const send = (text: string): void => {
          if (!isOpen) return;
          controller.enqueue(encoder.encode(text));
          if ((controller.desiredSize ?? 0) >= 0) return;
          close();
          drop();
        };
        const timer = setInterval(() => send(": still here\n\n"), KEEP_ALIVE).unref();
        let unfollow = (): void => {};
        const end = (): void => {
          clearInterval(timer);
          signal?.removeEventListener("abort", close);
          unfollow();
        };
        stop = () => {
          isOpen = false;
          end();
        };
        signal?.addEventListener("abort", close);
        send(": open\n\n");
        unfollow = follow({
          onPart: (part) => send(toEvent(part)),
          onEnd: () => {
            send("data: [DONE]\n\n");
            close();
          },
        });
        if (!isOpen) unfollow();
      },
      cancel: () => stop(),
    },
    { highWaterMark: bytes, size: ({ byteLength }) => byteLength },
  );
  return new Response(body, { headers: HEADERS });
}

function toEvent({ seq, chunks }: LogPart): string {
  const id = seq === undefined ? "" : `id: ${seq}\n`;
  return `${id}${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n`).join("")}\n`;
}

const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  // Asks proxies to pass on each event at once.
  "x-accel-buffering": "no",
};
const KEEP_ALIVE = 15_000;

/**
 * One step of an answer can contain several files of a skill, twice each. This limit is far above what a reading page
 * ever has pending. A page that reads nothing is dropped by the server's timeout.
 */
const LARGEST_BACKLOG = 32 * 1024 * 1024;
