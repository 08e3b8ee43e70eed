import type { ModelMessage, ToolResultPart } from "ai";
import { estimateFileTokens, fileName, type OperationResult, type ResultFile, toBase64 } from "../adapter/index.ts";

type Output = ToolResultPart["output"];

/** Returns a file with its bytes, or undefined if it has changed or is gone. */
export type RestoreFile = (file: ResultFile) => Promise<ResultFile | undefined>;

/** What a model gets of a result: text, with the files as parts. */
export function toOutput(result: OperationResult, restore?: RestoreFile): Output | Promise<Output> {
  const { isError, text } = result;
  const files = result.isError ? [] : (result.files ?? []);
  if (files.length === 0) return { type: isError ? "error-text" : "text", value: text };
  return restoreAll(text, files, restore);
}

async function restoreAll(text: string, files: readonly ResultFile[], restore?: RestoreFile): Promise<Output> {
  const parts = files.map(async (file) => {
    const found = file.data === undefined ? await restore?.(file) : file;
    if (found === undefined)
      return { type: "text" as const, text: `['${file.path}' is missing here: it has changed, or no longer exists.]` };
    const data = { type: "data" as const, data: toBase64(found.data) };
    return { type: "file" as const, mediaType: found.mediaType, filename: fileName(found), data };
  });
  return { type: "content", value: [{ type: "text", text }, ...(await Promise.all(parts))] };
}

/** Estimates the tokens of the files in a message. */
export function fileTokensIn({ content }: ModelMessage): number {
  if (typeof content === "string") return 0;
  const parts = content.flatMap((part): readonly object[] =>
    part.type === "tool-result" && part.output.type === "content" ? part.output.value : [part],
  );
  return parts.reduce<number>((sum, part) => {
    const { type, mediaType = "image/png", data, image } = part as FileLike;
    if (type !== "file" && type !== "image") return sum;
    const given = image ?? (typeof data === "object" && data !== null && "data" in data ? data.data : data);
    if (typeof given === "string") return sum + estimateFileTokens(mediaType, given);
    return sum + estimateFileTokens(mediaType, given instanceof Uint8Array ? given.length : 1);
  }, 0);
}

interface FileLike {
  readonly type?: string;
  readonly mediaType?: string;
  readonly image?: unknown;
  readonly data?: unknown;
}
