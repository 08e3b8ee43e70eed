import { SkillError } from "../base/errors.ts";
import { escapeSkillTags } from "../text/escape.ts";
import { toModelMessage } from "../text/model-message.ts";
import { jsonSchemaOf } from "./schema.ts";
import type { JsonSchema } from "./standard-schema.ts";
import type { Tool } from "./tool.ts";
import { unwrapValue, wrapSchema } from "./wrap-schema.ts";

/** A tool as a model calls it, SDK-neutral: an operation on skills, or a `Tool` of a skill, a section or a run. */
export interface ModelTool {
  /** Which operation on skills it is, under whatever name; undefined for other tools. */
  readonly id?: string;
  /** The skill that it is a tool of. */
  readonly skill?: string;
  /** The dotted key of the section that it is a tool of. */
  readonly section?: string;
  /** Safe for every provider: letters, digits, `_` and `-`. */
  readonly name: string;
  /** The name that people see. */
  readonly title?: string;
  readonly description: string;
  /** Always the schema of an object, as providers require. */
  readonly inputSchema: JsonSchema;
  /** It changes nothing outside the conversation. */
  readonly readOnly?: boolean;
  /** Whether the model may call it now: a skill's tools are available while the skill is active. */
  isAvailable(): boolean;
  /** Never rejects: an error is a result too, so that the conversation continues. */
  execute(input: unknown, options?: { readonly signal?: AbortSignal | undefined }): Promise<OperationResult>;
}

/** What a model is told, and the same for code. */
export type OperationResult =
  | { readonly isError: false; readonly text: string; readonly data: Readonly<Record<string, unknown>> }
  | { readonly isError: true; readonly text: string; readonly code: string };

export interface OperationOutput {
  readonly text: string;
  readonly data: Record<string, unknown>;
}

type Caller = (input: unknown, signal: AbortSignal | undefined) => Promise<OperationOutput>;

/** The tool as a model calls it; `call` gets the input without its wrapping. */
export function toModelTool(
  { name, description, inputSchema }: Pick<Tool, "name" | "description" | "inputSchema">,
  call: Caller,
  more: Partial<Pick<ModelTool, "name" | "skill" | "section" | "isAvailable">> = {},
): ModelTool {
  const schema = jsonSchemaOf(inputSchema);
  return Object.freeze({
    name,
    title: name,
    description,
    inputSchema: wrapSchema(schema),
    readOnly: false,
    isAvailable: () => true,
    ...more,
    execute: (input, { signal } = {}) => settle(() => call(unwrapValue(schema, input), signal)),
  } satisfies ModelTool);
}

/** Turns whatever goes wrong into a result that the model can read. */
export async function settle(work: () => Promise<OperationOutput>): Promise<OperationResult> {
  try {
    return { isError: false, ...(await work()) };
  } catch (error) {
    const code = error instanceof SkillError ? error.code : "unexpected";
    return { isError: true, text: escapeSkillTags(toModelMessage(error)), code };
  }
}
