import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { SkillError } from "../../core/base/errors.ts";
import type { ReceivedRequest } from "../wire/model-request.ts";
import { ModelService } from "./model-service.ts";
import { conversationPlayhead, globalPlayhead } from "./playhead.ts";
import { checkScript, type ScriptFault, type ScriptStep } from "./script.ts";

export interface ScriptedModelOptions {
  /** A free one by default. */
  readonly port?: number;
  /**
   * `conversation`, the default, finds the next step in each request's own history, so that conversations side by side
   * and repeated requests never take a step from one another. `global` plays the steps in the order in which requests
   * come, whoever sends them: for agents that replace their history by a summary, and for sub-agents in one script.
   */
  readonly pace?: "conversation" | "global";
  /** Says which requests play no step, instead of the rule for titles, reviewers and suggestions. */
  readonly isSide?: (request: ReceivedRequest) => boolean;
  /** Closes the model when it is aborted. */
  readonly signal?: AbortSignal;
}

/** A model that does what a script says. */
export interface ScriptedModel extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`; the base URL of an OpenAI client is this and `/v1`. */
  readonly url: string;
  /** Every request for an answer so far, side requests too. */
  readonly requests: readonly ReceivedRequest[];
  /** What did not go as the script says; empty after a good run. */
  readonly faults: readonly ScriptFault[];
  /** Ends all connections at once. */
  close(): Promise<void>;
}

/**
 * Starts a server on 127.0.0.1 that speaks the Anthropic Messages, OpenAI Chat Completions, OpenAI Responses and Gemini
 * APIs and answers with the steps of a script, one a request; after the last it says that the script is over.
 *
 * The next step is the one after the last that the request's history shows, by the ids of its calls or by its text.
 * A counter would mix conversations and lose a step whenever a client repeats a request; counting the model's turns
 * would stumble over turns that agents add or drop. `pace` says when a counter is the better choice all the same.
 */
export async function startScriptedModel(
  script: readonly ScriptStep[],
  { port = 0, pace = "conversation", isSide, signal }: ScriptedModelOptions = {},
): Promise<ScriptedModel> {
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
    // While it started; the listener was not told.
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
