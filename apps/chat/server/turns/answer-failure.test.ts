import { APICallError, RetryError } from "ai";
import { expect, test } from "vitest";
import { answerFailure } from "./answer-failure.ts";

const failure = (message: string, statusCode?: number) =>
  new APICallError({ message, url: "http://127.0.0.1:9/v1", requestBodyValues: {}, statusCode });
const afterTries = (last: Error) =>
  new RetryError({
    message: `Failed after 3 attempts. Last error: ${last}`,
    reason: "maxRetriesExceeded",
    errors: [last],
  });

test.each([
  [
    afterTries(failure("Cannot connect to API: bad port")),
    "The model 'Qwen' cannot be reached. Check its server and your network.",
  ],
  [
    failure("Cannot connect to API: bad port"),
    "The model 'Qwen' cannot be reached. Check its server and your network.",
  ],
  [afterTries(failure("It is overloaded.", 503)), "It is overloaded."],
  [
    failure("Failed to process successful response", 200),
    "The model 'Qwen' stopped in the middle of its answer. Try again.",
  ],
  [new Error("Something else."), "Something else."],
])("%s", (error, sentence) => {
  expect(answerFailure(error, "Qwen")).toBe(sentence);
});
