import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A model whose answer grows when the test says so. */
export interface PacedModel extends AsyncDisposable {
  readonly url: string;
  /** Adds text to the answer that is running, once it is requested. */
  write(text: string): Promise<void>;
  /** Ends the answer. */
  end(): Promise<void>;
  /** Breaks the connection of the answer that is running. */
  fail(): Promise<void>;
}

/** Starts a model with the OpenAI Chat Completions API that has one answer at a time. */
export async function startPacedModel(): Promise<PacedModel> {
  let next = Promise.withResolvers<ServerResponse>();
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    next.resolve(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const send = async (delta: object, reason: string | null = null): Promise<ServerResponse> => {
    const response = await next.promise;
    const choices = [{ index: 0, delta, finish_reason: reason }];
    response.write(
      `data: ${JSON.stringify({ id: "a", object: "chat.completion.chunk", created: 0, model: "m", choices })}\n\n`,
    );
    return response;
  };
  const finish = async (last: (response: ServerResponse) => void): Promise<void> => {
    last(await next.promise);
    next = Promise.withResolvers();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    write: async (content) => void (await send({ role: "assistant", content })),
    end: async () => {
      await send({}, "stop");
      await finish((response) => response.end("data: [DONE]\n\n"));
    },
    fail: () => finish((response) => response.destroy()),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
