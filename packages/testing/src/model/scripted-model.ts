import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { SkillError } from "skillset";
import { checkOptions, type OptionTable } from "skillset/adapter";
import type { ReceivedRequest } from "../wire/model-request.ts";
import { ModelService } from "./model-service.ts";
import { conversationPlayhead, globalPlayhead } from "./playhead.ts";
import { checkScript, type ScriptFault, type ScriptStep } from "./script.ts";

export interface ScriptedModelOptions {
  /**
   * Port to listen on.
   * @default a free port
   */
  readonly port?: number;
  /**
   * How the next step is chosen. `conversation` finds it in each request's own history, so that parallel conversations and
   * repeated requests never take each other's steps. `global` plays the steps in the order of the requests: for agents
   * that replace their history with a summary, and for sub-agents that share a script.
   * @default "conversation"
   */
  readonly pace?: "conversation" | "global";
  /**
   * Returns whether a request plays no step.
   * @default requests for titles, reviews and suggestions play no step
   */
  readonly isSide?: (request: ReceivedRequest) => boolean;
  /** Closes the model when aborted. */
  readonly signal?: AbortSignal;
}

/** A model that follows a script. */
export interface ScriptedModel extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`. The base URL for an OpenAI client is this plus `/v1`. */
  readonly url: string;
  /** All requests for an answer so far, including side requests. */
  readonly requests: readonly ReceivedRequest[];
  /** Deviations from the script; empty after a good run. */
  readonly faults: readonly ScriptFault[];
  /** Ends all connections immediately. */
  close(): Promise<void>;
}

/**
 * Starts a server on 127.0.0.1 that speaks the Anthropic Messages, OpenAI Chat Completions, OpenAI Responses and Gemini
 * APIs. It answers each request with one step of the script; after the last one it says that the script is over.
 *
 * The next step follows the last one that the request's history contains, found by the ids of its calls or by its text.
 * A counter would mix conversations and skip a step when a client repeats a request, and counting the model's turns
 * fails when agents add or drop turns. `pace` explains when a counter is better.
 *
 * @example
 * ```ts
 * import { startScriptedModel } from "@skillset/testing";
 *
 * await using model = await startScriptedModel([
 *   { call: "activate_skill", input: { name: "tea" } },
 *   { say: "Steep it for three minutes." },
 * ]);
 * console.log(`${model.url}/v1`); // the base URL for an OpenAI client
 * ```
 */
export async function startScriptedModel(
  script: readonly ScriptStep[],
  options: ScriptedModelOptions = {},
): Promise<ScriptedModel> {
  checkOptions("startScriptedModel()", options, OPTIONS);
  const { port = 0, pace = "conversation", isSide, signal } = options;
  checkScript(script);
  if (pace !== "conversation" && pace !== "global") {
    throw new SkillError("option-invalid", `'pace' must be "conversation" or "global", not ${JSON.stringify(pace)}.`);
  }
  signal?.throwIfAborted();
  const steps = [...script];
  const service = new ModelService(steps, pace === "global" ? globalPlayhead() : conversationPlayhead(steps), isSide);
  const server = createServer((incoming, response) => void service.serve(incoming, response));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", () => resolve(void server.off("error", reject)));
  });

  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    signal?.removeEventListener("abort", close);
    closed ??= new Promise((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    return closed;
  };
  signal?.addEventListener("abort", close, { once: true });
  if (signal?.aborted) {
    // The signal was aborted while the server started, before the listener was added.
    await close();
    throw signal.reason;
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: service.requests,
    faults: service.faults,
    close,
    [Symbol.asyncDispose]: close,
  };
}

const OPTIONS: OptionTable<ScriptedModelOptions> = {
  port: true,
  pace: true,
  isSide: true,
  signal: true,
};
