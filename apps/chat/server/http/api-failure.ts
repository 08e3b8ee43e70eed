import type { Context } from "hono";
import { SkillError, type SkillErrorCode } from "skillset";
import type { ApiError } from "../../shared/api.ts";
import { databaseFaultOf, FAULT_SENTENCES } from "../database/database-fault.ts";
import { placesOf, reasonOf } from "../observe/error-reason.ts";
import type { Log } from "../observe/log.ts";
import { brief, type Redact } from "../observe/redact.ts";

type Status = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 421 | 429 | 500 | 503 | 507;

/** A refused request. The client sees the message. */
export class ApiFailure extends Error {
  override readonly name = "ApiFailure";
  readonly status: Status;
  readonly code: string;
  /** Seconds until a retry makes sense. */
  readonly retryAfter: number | undefined;

  constructor(status: Status, code: string, message: string, options: { readonly retryAfter?: number } = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfter = options.retryAfter;
  }
}

export function notFound(what: string): ApiFailure {
  return new ApiFailure(404, "not-found", `${what} not found.`);
}

export function underWay(): ApiFailure {
  return new ApiFailure(409, "answer-under-way", "An answer is running in this chat. Wait for it, or stop it first.");
}

/** Sends every error as JSON, on one line and without local paths. */
export function answerError(
  error: Error,
  c: Context,
  { log, redact }: { readonly log: Log; readonly redact: Redact },
): Response {
  const { status, code, message } = explain(error);
  if (status === 500 || databaseFaultOf(error)) {
    const { method, path } = c.req;
    log.error("request-failed", { method, path, reason: reasonOf(error), at: placesOf(error) });
  }
  if (error instanceof ApiFailure && error.retryAfter !== undefined) c.header("retry-after", String(error.retryAfter));
  const body: ApiError = { error: { code, message: brief(message, redact) } };
  return c.json(body, status);
}

function explain(error: Error): { status: Status; code: string; message: string } {
  if (error instanceof ApiFailure) return error;
  if (error instanceof SkillError) {
    return { status: STATUS[error.code] ?? 400, code: error.code, message: error.message };
  }
  const fault = databaseFaultOf(error);
  if (fault !== undefined) {
    return { status: fault === "full" ? 507 : 503, code: `database-${fault}`, message: FAULT_SENTENCES[fault] };
  }
  return { status: 500, code: "unexpected", message: "Something went wrong. See the server's log for details." };
}

const STATUS: Partial<Record<SkillErrorCode, Status>> = {
  "skill-not-found": 404,
  "resource-not-found": 404,
  "resource-not-a-file": 404,
  "resource-outside-skill": 403,
  "resource-too-large": 413,
  "skill-too-large": 413,
  "resource-not-text": 415,
};
