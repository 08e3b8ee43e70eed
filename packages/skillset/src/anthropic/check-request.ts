import { type PeerVersions, requireFeatures } from "../adapter/index.ts";
import { SkillError } from "../index.ts";
import type { MessagesRequest, RunMessagesOptions } from "./run-messages.ts";

const VERSIONS: PeerVersions = { name: "@anthropic-ai/sdk", range: ">=0.50.1 <2", install: "1" };

/** Throws if a request contains what the run decides, or a tool whose calls nobody would answer. */
export function checkRequest(request: MessagesRequest, handled: readonly string[]): void {
  if ("stream" in request)
    fail("'stream' is not part of the request: answers are always streamed, and 'onEvent' gets the events.");
  for (const { type, name = "" } of (request.tools ?? []) as readonly { type?: string; name?: string }[]) {
    if (type === undefined || type === "custom")
      fail("'request.tools' takes tools that Anthropic defines. Put functions into 'tools', with a 'handler'.");
    if (/^(?:browser|computer)_toolset_/.test(type))
      fail(`'${type}' is not supported: its members are separate calls.`);
    if (/^(?:bash|computer|memory|text_editor)_/.test(type) && !handled.includes(name))
      fail(`Your program runs '${name}': add a tool with this name and a 'handler' to 'tools'.`);
  }
}

/** Throws for a time that the API does not have. It would be ignored. */
export function checkCache(cache: unknown): void {
  if (![undefined, false, "5m", "1h"].includes(cache as never)) fail("'cache' must be '5m', '1h' or false.");
}

/** Throws if the client is one of an older version: clients have `withOptions` since 0.50. */
export function checkClient(client: RunMessagesOptions["client"]): void {
  requireFeatures("'client'", client, ["messages.stream", "withOptions"], VERSIONS);
}

function fail(message: string): never {
  throw new SkillError("option-invalid", message);
}
