import { anthropicMessages } from "./anthropic-messages.ts";
import { geminiGenerate } from "./gemini-generate.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import type { Wire } from "./wire.ts";

/** The endpoint for a path of one of the APIs. */
export type Route =
  | { readonly asks: "answer"; readonly wire: Wire; readonly model?: string; readonly stream?: "events" | "list" }
  | { readonly asks: "token-count"; readonly wire: Wire }
  | { readonly asks: "models" };

/** Finds the endpoint for a request; undefined if no API has such a path. */
export function findRoute(method: string, url: URL): Route | undefined {
  if (method === "GET") return url.pathname === "/v1/models" ? { asks: "models" } : undefined;
  if (method !== "POST") return undefined;
  return POST_ROUTES[url.pathname] ?? geminiRoute(url);
}

const POST_ROUTES: Readonly<Record<string, Route>> = {
  "/v1/messages": { asks: "answer", wire: anthropicMessages },
  "/v1/messages/count_tokens": { asks: "token-count", wire: anthropicMessages },
  "/v1/chat/completions": { asks: "answer", wire: openaiChat },
  "/v1/responses": { asks: "answer", wire: openaiResponses },
};

/** Gemini names the model in the path, and whether to stream. */
function geminiRoute(url: URL): Route | undefined {
  const [, model = "", action] = /^\/v1(?:beta|alpha)?\/models\/([^/:]+):(\w+)$/.exec(url.pathname) ?? [];
  const route = { asks: "answer", wire: geminiGenerate, model } as const;
  switch (action) {
    case "generateContent":
      return route;
    case "streamGenerateContent":
      return { ...route, stream: url.searchParams.get("alt") === "sse" ? "events" : "list" };
    case "countTokens":
      return { asks: "token-count", wire: geminiGenerate };
    default:
      return undefined;
  }
}
