import type { ChatCompletionContentPart, ChatCompletionUserMessageParam } from "openai/resources/chat/completions";
import type { ResponseInputFileContent, ResponseInputImageContent } from "openai/resources/responses/responses";
import { fileName, isDocumentType, isImageType, type ResultFile, toDataUrl } from "../adapter/index.ts";

/** The Responses API takes images, PDF, data and office documents. */
export function takesResponseFile(mediaType: string): boolean {
  return isDocumentType(mediaType) || mediaType.startsWith("application/vnd.openxmlformats");
}

/** Returns a file as a part of a call's output. */
export function toResponsePart(file: ResultFile): ResponseInputImageContent | ResponseInputFileContent {
  if (isImageType(file.mediaType)) return { type: "input_image", image_url: toDataUrl(file) };
  return { type: "input_file", filename: fileName(file), file_data: toDataUrl(file) };
}

/** The Chat Completions API takes images and PDF. */
export function takesChatFile(mediaType: string): boolean {
  return isImageType(mediaType) || mediaType === "application/pdf";
}

/** The API takes only text from tools, so files follow the results in a message of the user. */
export function toFilesMessage(files: readonly ResultFile[]): ChatCompletionUserMessageParam {
  const parts = files.flatMap((file): ChatCompletionContentPart[] => [
    { type: "text", text: `'${file.path}':` },
    isImageType(file.mediaType)
      ? { type: "image_url", image_url: { url: toDataUrl(file) } }
      : { type: "file", file: { filename: fileName(file), file_data: toDataUrl(file) } },
  ]);
  return { role: "user", content: [{ type: "text", text: FILES_FOLLOW }, ...parts] };
}

/** Whether a message was made for the files of results. It is then no message of a person. */
export function isFilesMessage({ role, content }: { readonly role: string; readonly content?: unknown }): boolean {
  return role === "user" && Array.isArray(content) && content[0]?.text === FILES_FOLLOW;
}

const FILES_FOLLOW = "These are the files that the tools returned.";
