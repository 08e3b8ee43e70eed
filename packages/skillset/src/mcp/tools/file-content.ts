import type { CallToolResult } from "@modelcontextprotocol/server";
import { isImageType, toBase64 } from "../../adapter/files.ts";
import { textIn } from "../../core/text/file-kind.ts";
import type { ResultFile } from "../../core/tool/result-file.ts";

type Content = CallToolResult["content"][number];

/** Returns a file as content: an image, or an embedded resource with its text or its bytes. */
export function toFileContent(file: Pick<ResultFile, "mediaType" | "data">, uri: string): Content {
  const { mediaType: mimeType, data } = file;
  if (isImageType(mimeType)) return { type: "image", mimeType, data: toBase64(data) };
  const text = textIn(data);
  const resource = text === undefined ? { uri, mimeType, blob: toBase64(data) } : { uri, mimeType, text };
  return { type: "resource", resource };
}

/** Returns the URI of a file: of a skill, or of a script's output. */
export function fileUri({ skill, path }: Pick<ResultFile, "skill" | "path">): string {
  const output = /^\$OUTPUT_DIR\/(.+)$/s.exec(path)?.[1];
  const parts = output === undefined ? [skill ?? "", ...path.split("/")] : ["", ...output.split("/")];
  return `${output === undefined ? "skill" : "output"}://${parts.map(encodeURIComponent).join("/")}`;
}
