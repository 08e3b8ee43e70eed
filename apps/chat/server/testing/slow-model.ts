import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface SlowModel {
  /** The settings that add it as `slow/m`. */
  readonly settings: string;
  /** Resolves when a request has arrived. */
  readonly asked: Promise<void>;
  /** Sends words in the answer to the last request, or as soon as one arrives. */
  say(words: string): void;
  end(): void;
}

/** A model whose answer the test writes, word by word. */
export async function startSlowModel(): Promise<SlowModel> {
  let response: ServerResponse | undefined;
  const waiting: string[] = [];
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const write = (text: string): void => {
    if (response === undefined) waiting.push(text);
    else response.write(text);
  };
  const server = createServer((request, given) => {
    request.resume();
    given.writeHead(200, { "content-type": "text/event-stream" });
    response = given;
    for (const text of waiting.splice(0)) given.write(text);
    ask();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const chunk = (delta: object, finish: string | null): string =>
    `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  return {
    settings: `[[models.openai_compatible]]\nname = "slow"\nbase_url = "http://127.0.0.1:${port}/v1"\nmodels = [{ id = "m" }]\n`,
    asked,
    say: (content) => write(chunk({ content }, null)),
    end: () => {
      write(`${chunk({}, "stop")}data: [DONE]\n\n`);
      response?.end();
    },
  };
}
