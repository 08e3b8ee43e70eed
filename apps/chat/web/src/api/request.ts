import type { ApiError } from "../../../shared/api.ts";
import { adminToken } from "./admin-token.ts";

export interface RequestOptions {
  readonly method?: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  readonly body?: unknown;
  /** Replaces the stored admin token. */
  readonly token?: string;
  readonly signal?: AbortSignal;
}

/** Returns the response's JSON, or undefined for an empty body. Throws errors with messages that the page can show. */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const response = await send(path, options);
  if (response.status === 204) return undefined as T;
  return (await response.json()) as T;
}

/** Returns the response itself, for streams. */
export async function send(path: string, { method = "GET", body, token, signal }: RequestOptions): Promise<Response> {
  const bearer = token ?? adminToken();
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: {
        // Sent without a body too: forms on other sites cannot set this header.
        ...(method !== "GET" && { "content-type": "application/json" }),
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      },
      body: JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new RequestError("unreachable", "The server is not responding. Check that it is running, then try again.", 0);
  }
  if (response.ok) return response;
  throw await errorOf(response);
}

export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly code: string;
  readonly status: number;
  constructor(code: string, message: string, status: number) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

async function errorOf(response: Response): Promise<RequestError> {
  try {
    const { error } = (await response.json()) as ApiError;
    return new RequestError(error.code, error.message, response.status);
  } catch {
    return new RequestError("unexpected", `The server answered with status ${response.status}.`, response.status);
  }
}

/** A message to show for any thrown value. */
export function sentenceOf(error: unknown): string {
  // Each browser words the error of a broken stream differently.
  if (error instanceof TypeError) return "The connection to the server was lost.";
  if (error instanceof Error && error.message !== "") return error.message;
  return "Something went wrong. Try again.";
}
