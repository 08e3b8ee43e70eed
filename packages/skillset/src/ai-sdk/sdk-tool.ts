import type { jsonSchema, Tool } from "ai";
import type { ModelTool } from "../adapter/index.ts";
import { type RestoreFile, toOutput } from "./result-files.ts";

export interface SdkToolOptions {
  /** Whether the model can be given a file with this media type. */
  readonly takesFile?: (mediaType: string) => boolean;
  /** Returns a file of a stored result, with its bytes. */
  readonly restore?: RestoreFile;
}

/** Converts a tool for the AI SDK. `asSchema` is the SDK's `jsonSchema`, which is loaded on demand. */
export function toSdkTool(
  { description, inputSchema, execute }: Pick<ModelTool, "description" | "inputSchema" | "execute">,
  asSchema: typeof jsonSchema,
  { takesFile, restore }: SdkToolOptions = {},
): Tool {
  return {
    description,
    inputSchema: asSchema(inputSchema as object),
    execute: (input: unknown, { abortSignal }) => execute(input, { signal: abortSignal, takesFile }),
    toModelOutput: ({ output }) => toOutput(output, restore),
  };
}
