import { SkillError } from "../base/errors.ts";
import type { CallHooks } from "../script/script.ts";
import { escapeSkillTags, visibleText } from "../text/escape.ts";
import { toModelMessage } from "../text/model-message.ts";
import type { ResultFile } from "./result-file.ts";
import { jsonSchemaOf } from "./schema.ts";
import type { JsonSchema } from "./standard-schema.ts";
import type { DescribedTool } from "./tool.ts";
import { unwrapValue, wrapSchema } from "./wrap-schema.ts";

/** What a model can call, independent of any SDK. `Data` is what a result has for code. */
export interface CallableTool<Data extends object = object> {
  /** The skill that the tool belongs to. */
  readonly skill?: string;
  /** The dotted key of the section that the tool belongs to. */
  readonly section?: string;
  /** A name that every provider accepts: letters, digits, `_` and `-`. */
  readonly name: string;
  /** The display name. */
  readonly title?: string;
  readonly description: string;
  /** Always an object schema, as providers require. */
  readonly inputSchema: JsonSchema;
  /** Changes nothing outside the conversation. */
  readonly readOnly?: boolean;
  /** The new names of arguments and of fields of structured content, by their original names. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Whether the model may call it now. A skill's tools are available while the skill is active. */
  isAvailable(): boolean;
  /** Never rejects: errors are returned as results, so that the conversation continues. */
  execute(input: unknown, options?: ExecuteOptions): Promise<OperationResult<Data>>;
}

type Execute<Data extends object> = CallableTool<Data>["execute"];

/** A `Tool` of a skill, a section or a run, prepared for a model. */
export interface PreparedTool extends CallableTool {
  readonly id?: undefined;
}

export interface ExecuteOptions {
  readonly signal?: AbortSignal | undefined;
  /** Consent and live output for a script that the call runs. */
  readonly scripts?: CallHooks | undefined;
  /**
   * Whether the model can be given a file with this media type. Without it, a result is only text: binary files are
   * refused, and data such as CSV is returned as text.
   */
  readonly takesFile?: ((mediaType: string) => boolean) | undefined;
}

/** A result as text for a model, and structured for code. */
export type OperationResult<Data extends object = object> =
  | {
      readonly isError: false;
      readonly text: string;
      readonly data: Data;
      /** Files that follow the text. */
      readonly files?: readonly ResultFile[];
    }
  | OperationFailure;

export interface OperationFailure {
  readonly isError: true;
  readonly text: string;
  readonly code: string;
}

export interface OperationOutput<Data extends object = object> {
  readonly text: string;
  readonly data: Data;
  readonly files?: readonly ResultFile[];
}

type Caller = (input: unknown, signal: AbortSignal | undefined) => Promise<OperationOutput>;

/** Converts a tool for a model. `call` receives the unwrapped input. */
export function toModelTool(
  { name, description, inputSchema }: DescribedTool,
  call: Caller,
  more: Partial<Pick<PreparedTool, "name" | "skill" | "section" | "isAvailable">> = {},
): PreparedTool {
  const schema = jsonSchemaOf(inputSchema);
  if (inputSchema !== undefined && schema === undefined) warnOfSchema(name, inputSchema);
  return Object.freeze({
    name,
    title: name,
    description,
    inputSchema: wrapSchema(schema),
    readOnly: false,
    isAvailable: () => true,
    ...more,
    execute: (input, { signal } = {}) => settle(() => call(unwrapValue(schema, input), signal)),
  } satisfies PreparedTool);
}

/** Returns the tool with calls that go through `around`. Results keep the data that the tool has for code. */
export function aroundCalls<Called extends CallableTool>(
  tool: Called,
  around: <Data extends object>(execute: Execute<Data>) => Execute<Data>,
): Called {
  return { ...tool, execute: around((input, options) => tool.execute(input, options)) };
}

/** Writes one line to stderr for each schema without a JSON form. */
function warnOfSchema(name: string, schema: object): void {
  if (WARNED.has(schema)) return;
  WARNED.add(schema);
  const cause = `The model will not see the parameters of '${name}': its schema has no JSON Schema.`;
  console.warn(
    visibleText(
      `skillset: ${cause} Use a library with Standard JSON Schema, such as zod 4.2 or newer, or a JSON Schema.`,
    ),
  );
}

const WARNED = new WeakSet<object>();

/** Whether the value is a result, such as one that was stored as JSON. */
export function isOperationResult(value: unknown): value is OperationResult {
  const { isError, text, data, code } = (value ?? {}) as Record<string, unknown>;
  return (
    typeof text === "string" &&
    (isError === true ? typeof code === "string" : isError === false && data !== null && typeof data === "object")
  );
}

/** Converts any failure to a result for the model. */
export async function settle<Data extends object>(
  work: () => Promise<OperationOutput<Data>>,
): Promise<OperationResult<Data>> {
  try {
    return { isError: false, ...(await work()) };
  } catch (error) {
    const code = error instanceof SkillError ? error.code : "unexpected";
    return { isError: true, text: escapeSkillTags(toModelMessage(error)), code };
  }
}
