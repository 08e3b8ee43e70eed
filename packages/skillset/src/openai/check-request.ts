import type { OpenAI } from "openai";
import { type PeerVersions, requireFeatures } from "../adapter/index.ts";
import { SkillError } from "../index.ts";

const VERSIONS: PeerVersions = { name: "openai", range: ">=5.0.0 <8", install: "7" };

/** Throws if a request contains what the run decides. The compiler catches this, but not in JavaScript. */
export function checkRequest(request: { readonly tools?: readonly { readonly type: string }[] }): void {
  if ("stream" in request)
    throw new SkillError("option-invalid", "'stream' is not part of the request: set 'onEvent' to stream.");
  // Nobody would answer the calls of a function without a handler.
  if (request.tools?.some(({ type }) => type === undefined || type === "function" || type === "custom"))
    throw new SkillError(
      "option-invalid",
      "'request.tools' takes tools that the API runs. Put functions into 'tools', with a 'handler'.",
    );
}

/** Throws if the client lacks one of these functions, or is one of an older version: clients have `withOptions` since 5. */
export function checkClient(client: OpenAI, features: readonly string[]): void {
  requireFeatures("'client'", client, [...features, "withOptions"], VERSIONS);
}
