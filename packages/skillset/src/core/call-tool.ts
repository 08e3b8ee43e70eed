import { SkillError } from "./errors.ts";
import { toModelMessage } from "./model-message.ts";
import type { JsonSchema, Skill, SkillTool } from "./skill.ts";
import type { StandardIssue, StandardSchema } from "./standard-schema.ts";

export interface CallToolOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long a handler may take, in milliseconds. */
  readonly timeout: number;
}

/** What a tool gave: the value, and the text of it for a model. */
export interface ToolResult {
  readonly value: unknown;
  readonly text: string;
}

/** Checks the input, runs the handler, and turns whatever goes wrong into a `SkillError`. */
export async function callTool(
  skill: Skill,
  tool: SkillTool,
  input: unknown,
  options: CallToolOptions,
): Promise<ToolResult> {
  const checked = await checkInput(skill, tool, input);
  const value = await runHandler(skill, tool, checked, options);
  return { value, text: toText(skill, tool, value) };
}

async function checkInput(skill: Skill, tool: SkillTool, input: unknown): Promise<unknown> {
  const { inputSchema } = tool;
  if (inputSchema === undefined) return input;
  if (!isStandardSchema(inputSchema)) {
    const issues = await checkJsonSchema(inputSchema, input);
    if (issues.length > 0) throw invalidInput(skill, tool, issues);
    return input;
  }
  const result = await inputSchema["~standard"].validate(input);
  if (result.issues !== undefined) throw invalidInput(skill, tool, result.issues.map(describeIssue));
  return result.value;
}

function isStandardSchema(schema: StandardSchema | JsonSchema): schema is StandardSchema {
  return "~standard" in schema;
}

async function checkJsonSchema(schema: JsonSchema, input: unknown): Promise<string[]> {
  // Loaded here: few tools have a bare JSON Schema.
  const { Validator } = await import("@cfworker/json-schema");
  const { valid, errors } = new Validator(schema as object, "2020-12", false).validate(input);
  if (valid) return [];
  return errors
    .filter(({ keyword }) => keyword !== "properties")
    .map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
}

function describeIssue({ message, path = [] }: StandardIssue): string {
  const place = path.map((part) => String(typeof part === "object" ? part.key : part)).join(".");
  return place === "" ? message : `${place}: ${message}`;
}

function invalidInput(skill: Skill, tool: SkillTool, issues: readonly string[]): SkillError {
  return new SkillError(
    "tool-input-invalid",
    `The input of tool '${tool.name}' of skill '${skill.name}' does not fit: ${issues.slice(0, 5).join("; ")}.`,
  );
}

/** A handler that throws, hangs or is aborted ends here; it never takes the session with it. */
async function runHandler(
  skill: Skill,
  tool: SkillTool,
  input: unknown,
  { signal, timeout }: CallToolOptions,
): Promise<unknown> {
  const deadline = AbortSignal.timeout(timeout);
  const either = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
  const where = `Tool '${tool.name}' of skill '${skill.name}'`;
  try {
    return await untilAborted(either, async () => tool.handler(input, { skill, signal: either }));
  } catch (error) {
    if (deadline.aborted && !signal?.aborted)
      throw new SkillError("tool-timed-out", `${where} took longer than ${timeout} ms.`, { cause: error });
    if (signal?.aborted) throw new SkillError("tool-aborted", `${where} was cancelled.`, { cause: error });
    throw new SkillError("tool-failed", `${where} failed: ${toModelMessage(error)}`, { cause: error });
  }
}

/** Settles as soon as the signal is aborted, even when the work does not listen to it. */
function untilAborted<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", stop));
  });
}

function toText(skill: Skill, tool: SkillTool, value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "null";
  } catch (error) {
    const message = `Tool '${tool.name}' of skill '${skill.name}' gave a result that cannot be written as JSON.`;
    throw new SkillError("tool-failed", message, { cause: error });
  }
}
