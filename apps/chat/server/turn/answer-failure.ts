import { APICallError, RetryError } from "ai";
import { reasonOf } from "../http/error-reason.ts";

/** Why an answer failed, for whoever asked: of several tries, what came of the last one. */
export function answerFailure(error: unknown, modelLabel: string): string {
  if (RetryError.isInstance(error)) return answerFailure(error.lastError, modelLabel);
  const isUnreachable = APICallError.isInstance(error) && error.statusCode === undefined;
  return isUnreachable ? `The model '${modelLabel}' cannot be reached.` : reasonOf(error);
}
