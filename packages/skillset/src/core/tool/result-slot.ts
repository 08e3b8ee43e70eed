import { SkillError } from "../base/errors.ts";
import { LIMITS, NAMES } from "../base/limits.ts";
import { messageOf } from "../base/message-of.ts";
import type { OperationResult } from "./model-tool.ts";
import { checkValue, jsonSchemaOf } from "./schema.ts";
import type { AnySchema, JsonSchema } from "./standard-schema.ts";
import { unwrapValue, wrapSchema } from "./wrap-schema.ts";

/** Collects the agent's result. The first valid value wins; after too many invalid ones, the run fails. */
export class ResultSlot {
  readonly #schema: AnySchema;
  /** The agent passes `{ result: … }`, because a tool's input is always an object. */
  readonly #isWrapped: boolean;
  readonly jsonSchema: JsonSchema | undefined;
  readonly #onRefused: (issues: readonly string[], attemptsLeft: number) => void;
  readonly #who: "agent" | "model";
  #attemptsLeft = LIMITS.agent.resultAttempts;
  #refusal: string | undefined;
  #value: { readonly value: unknown } | undefined;
  #failure: SkillError | undefined;
  readonly #settled = Promise.withResolvers<void>();

  constructor(
    schema: AnySchema,
    onRefused: (issues: readonly string[], attemptsLeft: number) => void = () => {},
    who: "agent" | "model" = "agent",
  ) {
    this.#schema = schema;
    this.#onRefused = onRefused;
    this.#who = who;
    this.jsonSchema = jsonSchemaOf(schema);
    this.#isWrapped = this.jsonSchema?.type !== "object";
  }

  /** The value that was accepted. */
  get value(): { readonly value: unknown } | undefined {
    return this.#value;
  }

  /** Why no further value is accepted. */
  get failure(): SkillError | undefined {
    return this.#failure;
  }

  /** Why the last value was rejected; undefined before the first rejection. */
  get refusal(): string | undefined {
    return this.#refusal;
  }

  /** Resolves when a value is accepted, or when no further one can be. */
  get settled(): Promise<void> {
    return this.#settled.promise;
  }

  /** The input schema of `return_result`. */
  get inputSchema(): JsonSchema {
    const { $schema: _, ...schema } = this.jsonSchema ?? {};
    return wrapSchema(schema, NAMES.result);
  }

  /** Validates the agent's value, `{ result: … }` or the bare value, and returns a message for its model. */
  async offer(input: unknown, isWrapped = this.#isWrapped): Promise<OperationResult> {
    if (this.#value !== undefined) return accepted("A result was accepted before; this one is not used.");
    if (this.#failure !== undefined) return refused("No further result is accepted.");
    const candidates = candidatesFor(input, isWrapped);
    let issues: readonly string[] = [];
    for (const candidate of candidates) {
      const checked = await this.#check(candidate);
      // Two calls may arrive at the same time.
      if (this.#value !== undefined) return accepted("A result was accepted before; this one is not used.");
      if (this.#failure !== undefined) return refused("No further result is accepted.");
      if (checked.issues.length === 0) {
        this.#value = { value: checked.value };
        this.#settled.resolve();
        return accepted("The result was accepted. You are done: end your turn.");
      }
      if (issues.length === 0) issues = checked.issues;
    }
    return this.#refuse(issues);
  }

  async #check(value: unknown) {
    try {
      return await checkValue(this.#schema, value);
    } catch (error) {
      const [line = ""] = messageOf(error).split("\n");
      return { value, issues: [line] };
    }
  }

  #refuse(issues: readonly string[]): OperationResult {
    this.#attemptsLeft -= 1;
    const reason = issues.slice(0, LIMITS.shown.resultIssues).join("; ").replace(/\.$/, "");
    this.#refusal = reason;
    this.#onRefused(issues, this.#attemptsLeft);
    if (this.#attemptsLeft > 0) return refused(`The result does not fit: ${reason}. Correct it and return it again.`);
    this.giveUp();
    return refused(`The result does not fit: ${reason}. No further result is accepted.`);
  }

  /** Stops accepting values, and returns the error that explains why. */
  giveUp(): SkillError {
    const count = LIMITS.agent.resultAttempts - this.#attemptsLeft;
    const results =
      count === 1
        ? "one result, which does not fit the schema"
        : `${count} results, and none fits the schema; the last`;
    this.#failure = new SkillError("result-invalid", `The ${this.#who} returned ${results}: ${this.#refusal}.`);
    this.#settled.resolve();
    return this.#failure;
  }
}

/** The values the agent may have meant: models wrap values that should be bare, and write JSON as text. */
function candidatesFor(input: unknown, isWrapped: boolean): readonly unknown[] {
  const inner = unwrapValue({}, input, NAMES.result);
  const values = isWrapped ? [inner] : [input, ...(inner === input ? [] : [inner])];
  const parsed = values.flatMap((value) => (typeof value === "string" ? parse(value) : []));
  return [...values, ...parsed];
}

function parse(text: string): readonly unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}

function accepted(text: string): OperationResult {
  return { isError: false, text, data: { accepted: true } };
}

function refused(text: string): OperationResult {
  return { isError: true, text, code: "result-invalid" };
}
