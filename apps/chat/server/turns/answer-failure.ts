import { APICallError, InvalidResponseDataError, JSONParseError, RetryError, TypeValidationError } from "ai";
import { databaseFaultOf, FAULT_SENTENCES } from "../database/database-fault.ts";
import { reasonOf } from "../observe/error-reason.ts";

/** Why an answer failed, for whoever asked: of several tries, what came of the last one. */
export function answerFailure(error: unknown, modelLabel: string): string {
  if (RetryError.isInstance(error)) return answerFailure(error.lastError, modelLabel);
  const model = `The model '${modelLabel}'`;
  if (APICallError.isInstance(error) && error.statusCode === undefined) return `${model} cannot be reached.`;
  // It answered that all is well, and then the connection broke or held no answer.
  if (APICallError.isInstance(error) && error.statusCode === 200) return `${model} broke off its answer.`;
  if (JSONParseError.isInstance(error) || TypeValidationError.isInstance(error)) {
    return `${model} sent something that is no answer.`;
  }
  const fault = "query" in Object(error) ? databaseFaultOf(error) : undefined;
  if (fault !== undefined) return FAULT_SENTENCES[fault];
  const reason = reasonOf(error);
  return InvalidResponseDataError.isInstance(error) || reason === "terminated"
    ? `${model} broke off its answer.`
    : reason;
}
