import { SkillError } from "../base/errors.ts";
import { describeValue } from "../text/describe-value.ts";

/** Throws unless the value is a list of messages, or of an API's items, some of which have no role. */
export function checkMessages(what: string, messages: unknown): void {
  const invalid = (problem: string): SkillError => new SkillError("option-invalid", problem);
  if (!Array.isArray(messages)) throw invalid(`${what} must be a list of messages, not ${describeValue(messages)}.`);
  for (const [index, message] of messages.entries()) {
    const isMessage = FIELDS.some((field) => typeof message?.[field] === "string");
    if (!isMessage) {
      const given = `${describeValue(message)}${typeof message === "object" && message !== null ? " without a role" : ""}`;
      throw invalid(`${what} must be a list of messages, and item ${index} is ${given}.`);
    }
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

/** A reference to an item has nothing but its id. */
const FIELDS = ["role", "type", "id"];
