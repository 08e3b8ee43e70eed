import { SkillError } from "./errors.ts";
import { toModelMessage } from "./model-message.ts";
import type { JsonSchema, Skill, SkillTool } from "./skill.ts";
import type { StandardIssue, StandardSchema } from "./standard-schema.ts";
import { untilAborted } from "./until-aborted.ts";

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
  const value = await runHandler(skill, tool, input, options);
  return { value, text: toText(skill, tool, value) };
}

/** The input as the tool's schema makes it; or what is wrong with it. */
async function checkInput({ inputSchema }: SkillTool, input: unknown): Promise<{ value: unknown; issues: string[] }> {
  if (inputSchema === undefined) return { value: input, issues: [] };
  if (!isStandardSchema(inputSchema)) return { value: input, issues: await checkJsonSchema(inputSchema, input) };
  const result = await inputSchema["~standard"].validate(input);
  if (result.issues !== undefined) return { value: input, issues: result.issues.map(describeIssue) };
  return { value: result.value, issues: [] };
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
  const where = `Tool '${tool.name}' of skill '${skill.name}'`;
  const controller = new AbortController();
  const cancelled = new SkillError("tool-aborted", `${where} was cancelled.`);
  const late = new SkillError("tool-timed-out", `${where} took longer than ${timeout} ms.`);
  // Not `AbortSignal.any`: a signal that lives as long as the program would keep every call that used it.
  const cancel = (): void => controller.abort(cancelled);
  if (signal?.aborted) cancel();
  else signal?.addEventListener("abort", cancel, { once: true });
  // A timer cannot wait longer; nobody will.
  const timer = setTimeout(() => controller.abort(late), Math.min(timeout, 2 ** 31 - 1));
  let refused: SkillError | undefined;
  // A schema is code of the skill's as well: it may throw or hang like the handler.
  const work = async (): Promise<unknown> => {
    controller.signal.throwIfAborted();
    const { value, issues } = await checkInput(tool, input);
    controller.signal.throwIfAborted();
    if (issues.length === 0) return tool.handler(value, { skill, signal: controller.signal });
    refused = invalidInput(skill, tool, issues);
    throw refused;
  };
  try {
    return await untilAborted(controller.signal, work());
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason;
    if (refused !== undefined) throw refused;
    throw new SkillError("tool-failed", `${where} failed: ${toModelMessage(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", cancel);
  }
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
