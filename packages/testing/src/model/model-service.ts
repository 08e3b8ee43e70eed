import type { IncomingMessage, ServerResponse } from "node:http";
import { estimateTokens } from "skillset";
import { readBody, sendEvents, sendGarbage, sendJson } from "../wire/http-exchange.ts";
import { asText, type JsonObject } from "../wire/json.ts";
import { publicHeaders, publicPath, type ReceivedRequest } from "../wire/model-request.ts";
import { filesIn } from "../wire/request-files.ts";
import { findRoute, type Route } from "../wire/route.ts";
import type { WireReading } from "../wire/wire.ts";
import { type Played, playStep, toAnswer } from "./play-step.ts";
import type { Playhead } from "./playhead.ts";
import type { ScriptFault, ScriptStep } from "./script.ts";
import { isSideRequest, sideAnswer } from "./side-request.ts";

/** Receives requests of all APIs, records them and sends the script's answers. */
export class ModelService {
  readonly requests: ReceivedRequest[] = [];
  readonly faults: ScriptFault[] = [];
  readonly #script: readonly ScriptStep[];
  readonly #playhead: Playhead;
  readonly #isSide: ((request: ReceivedRequest) => boolean) | undefined;

  constructor(script: readonly ScriptStep[], playhead: Playhead, isSide?: (request: ReceivedRequest) => boolean) {
    this.#script = script;
    this.#playhead = playhead;
    this.#isSide = isSide;
  }

  async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#route(incoming, response);
    } catch (error) {
      // A client that disconnects is expected; any other error must not end the test's process.
      if (!incoming.complete || response.headersSent) return;
      this.#refuse(response, 500, `The scripted model failed: ${(error as Error).message}`);
    }
  }

  async #route(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? "/", "http://127.0.0.1");
    const route = findRoute(incoming.method ?? "", url);
    if (route === undefined) {
      const message = `The scripted model does not serve ${incoming.method} ${url.pathname}.`;
      return sendJson(response, 404, { error: { type: "not_found_error", message } });
    }
    if (route.asks === "models") return sendJson(response, 200, MODELS);
    const input = await readBody(incoming, route.wire.required);
    if (input.outcome === "refused") return this.#refuse(response, input.status, input.message, route);
    const { body } = input;
    if (route.asks === "token-count") {
      return sendJson(response, 200, route.wire.tokens?.(estimateTokens(JSON.stringify(body))));
    }
    const reading = route.wire.read(body);
    const played = await this.#play(route, viewOf(incoming, url, route, body, reading), reading);
    send(response, route, played, body);
  }

  /** Records the request and chooses the answer. */
  async #play(route: AnswerRoute, view: ReceivedRequest, reading: WireReading): Promise<Played> {
    const { wire } = route;
    if (this.#isSide?.(view) ?? isSideRequest(view, reading.schema)) {
      this.requests.push({ ...view, side: true });
      return { outcome: "answer", answer: toAnswer(wire, view, sideAnswer(reading)) };
    }
    const step = this.#playhead.next(reading);
    const request = step < this.#script.length ? { ...view, step } : view;
    this.requests.push(request);
    const played = await playStep(this.#script, step, request, wire, reading.tools);
    if (played.outcome === "answer") this.#playhead.sent(step, played.answer);
    if (played.outcome === "answer" && played.fault !== undefined) this.faults.push(played.fault);
    return played;
  }

  #refuse(response: ServerResponse, status: number, message: string, route?: AnswerRoute | CountRoute): void {
    this.faults.push({ code: "request-invalid", message });
    sendJson(response, status, route?.wire.error(status, message) ?? { error: { type: "api_error", message } });
  }
}

type AnswerRoute = Extract<Route, { asks: "answer" }>;
type CountRoute = Extract<Route, { asks: "token-count" }>;

function viewOf(
  incoming: IncomingMessage,
  url: URL,
  { wire, model }: AnswerRoute,
  body: JsonObject,
  { system, tools, messages, toolResults }: WireReading,
): ReceivedRequest {
  return {
    wire: wire.name,
    path: publicPath(url),
    headers: publicHeaders(incoming.headers),
    body,
    model: model ?? asText(body.model),
    system,
    tools: tools.map(({ name }) => name),
    messages,
    toolResults,
    files: filesIn(body),
    side: false,
  };
}

function send(response: ServerResponse, { wire, stream }: AnswerRoute, played: Played, body: JsonObject): void {
  const streamed = stream ?? (body.stream === true ? "events" : undefined);
  if (played.outcome === "fail") sendJson(response, played.status, wire.error(played.status, played.message));
  else if (played.outcome === "garbage") sendGarbage(response, played.text, streamed === "events");
  else if (played.outcome === "answer") {
    if (streamed === undefined) sendJson(response, 200, wire.whole(played.answer));
    else if (streamed === "events") sendEvents(response, wire.events(played.answer));
    else {
      const list = wire.events(played.answer).map(({ data }) => data);
      sendJson(response, 200, list);
    }
  }
}

/** One model, with the fields of OpenAI's list and of Anthropic's. */
const MODELS = {
  object: "list",
  data: [
    {
      id: "scripted-model",
      object: "model",
      type: "model",
      display_name: "Scripted model",
      created: 1_735_689_600,
      created_at: "2025-01-01T00:00:00Z",
      owned_by: "scripted",
    },
  ],
  has_more: false,
  first_id: "scripted-model",
  last_id: "scripted-model",
};
