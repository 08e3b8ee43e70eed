import { SkillError } from "../base/errors.ts";
import { describeValue } from "../text/describe-value.ts";

/** Throws unless the value is a list of messages, or of an API's items, some of which have no role. */
export function checkMessages(what: string, messages: unknown): void {
  checkList(what, messages);
  for (const [index, message] of messages.entries()) {
    if (!FIELDS.some((field) => typeof message[field] === "string"))
      throw invalid(`${what} must be a list of messages, and item ${index} is an object without a role.`);
    if (Array.isArray(message.parts) && message.content === undefined)
      throw invalid(
        `${what} must be messages for a model, and item ${index} has 'parts', as messages for a page do. ` +
          "Convert them first: 'await convertToModelMessages(messages)' of the AI SDK does.",
      );
    // The message of an assistant may have only calls.
    const { role = "assistant", content } = message;
    if (role !== "assistant" && (content === undefined || content === null))
      throw invalid(`${what} must be a list of messages, and item ${index} has no content.`);
  }
}

/** Throws unless the value is a list of objects. Their fields are up to whoever reads them. */
export function checkList(
  what: string,
  messages: unknown,
): asserts messages is readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(messages)) throw invalid(`${what} must be a list of messages, not ${describeValue(messages)}.`);
  const index = messages.findIndex((message) => typeof message !== "object" || message === null);
  if (index === -1) return;
  throw invalid(`${what} must be a list of messages, and item ${index} is ${describeValue(messages[index])}.`);
}

function invalid(problem: string): SkillError {
  return new SkillError("option-invalid", problem);
}

/** A reference to an item has nothing but its id. */
const FIELDS = ["role", "type", "id"];
