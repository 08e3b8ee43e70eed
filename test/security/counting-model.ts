import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** The words of the answer to "Count for NAME", numbered so that a lost or doubled one is seen. */
export function countedWords(name: string): string {
  return Array.from({ length: WORDS }, (_, index) => `${name}-${index} `).join("");
}

const WORDS = 50;
const WORD_DELAY = 80;

/** Starts a model that says numbered words, one after the other, for about four seconds. */
export async function startCountingModel(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const [, name = ""] = /Count for ([\w-]+)/.exec(body) ?? [];
    const send = (delta: object, end: string | null): void => {
      response.write(`data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta, finish_reason: end }] })}\n\n`);
    };
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const [content] of countedWords(name).matchAll(/\S+ /g)) {
      if (response.destroyed) return;
      send({ content }, null);
      await pause(WORD_DELAY);
    }
    send({}, "stop");
    response.end("data: [DONE]\n\n");
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
