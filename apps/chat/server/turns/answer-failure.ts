import { APICallError, InvalidResponseDataError, JSONParseError, RetryError, TypeValidationError } from "ai";
import { databaseFaultOf, FAULT_SENTENCES } from "../database/database-fault.ts";
import { ResponseTooLargeError } from "../models/bounded-fetch.ts";
import { reasonOf } from "../observe/error-reason.ts";

/** The reason why an answer failed, for the user. After several attempts, the reason of the last one. */
export function answerFailure(error: unknown, modelLabel: string): string {
  if (RetryError.isInstance(error)) return answerFailure(error.lastError, modelLabel);
  const model = `The model '${modelLabel}'`;
  if (isTooLarge(error))
    return `The answer was cut off: the server of the model '${modelLabel}' sent too much at once.`;
  if (APICallError.isInstance(error) && error.statusCode === undefined)
    return `${model} cannot be reached. Check its server and your network.`;
  // The response status was 200, but the connection broke or contained no answer.
  if (APICallError.isInstance(error) && error.statusCode === 200)
    return `${model} stopped in the middle of its answer. Try again.`;
  if (JSONParseError.isInstance(error) || TypeValidationError.isInstance(error)) {
    return `${model} sent an invalid response.`;
  }
  const fault = "query" in Object(error) ? databaseFaultOf(error) : undefined;
  if (fault !== undefined) return FAULT_SENTENCES[fault];
  const reason = reasonOf(error);
  return InvalidResponseDataError.isInstance(error) || reason === "terminated"
    ? `${model} stopped in the middle of its answer. Try again.`
    : reason;
}

/** The SDK wraps errors of the connection. */
function isTooLarge(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) if (one instanceof ResponseTooLargeError) return true;
  return false;
}
