import type { JsonObject } from "./json.ts";

/** Returns an error in the format of both OpenAI APIs. */
export function openaiError(status: number, message: string): JsonObject {
  const type = ERROR_TYPES[status] ?? (status < 500 ? "invalid_request_error" : "server_error");
  return { error: { message, type, param: null, code: status === 429 ? "rate_limit_exceeded" : null } };
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  403: "permission_error",
  429: "rate_limit_error",
};
