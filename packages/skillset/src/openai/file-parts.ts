import type {
  ChatCompletionContentPart,
  ChatCompletionMessageParam,
  ChatCompletionUserMessageParam,
} from "openai/resources/chat/completions";
import type { ResponseInputFileContent, ResponseInputImageContent } from "openai/resources/responses/responses";
import {
  fileName,
  isDocumentType,
  isImageType,
  type ResultFile,
  type TurnResult,
  toDataUrl,
} from "../adapter/index.ts";

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
    { type: "text", text: labelOf(file) },
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

/** Says which skill a file belongs to, because no call does here. */
function labelOf({ path, skill }: ResultFile): string {
  return skill === undefined ? `'${path}':` : `'${path}' of skill '${skill}':`;
}

/** Returns the files of skills in such a message, each by its label. */
export function filesIn(message: ChatCompletionMessageParam): TurnResult[] {
  return partsOf(message).flatMap((part) => {
    const [, skill] = part.type === "text" ? (/' of skill '([^']+)':$/.exec(part.text) ?? []) : [];
    return part.type === "text" && skill !== undefined ? [{ id: part.text, text: part.text, skill }] : [];
  });
}

/** Returns the message without the files for which there is a text, with the text instead. */
export function withoutFiles(
  message: ChatCompletionMessageParam,
  textFor: (label: string) => string | undefined,
): ChatCompletionMessageParam {
  const labels = partsOf(message).map((part) => (part.type === "text" ? textFor(part.text) : undefined));
  const content = partsOf(message).flatMap((part, index): ChatCompletionContentPart[] => {
    const text = labels[index];
    if (text !== undefined) return [{ type: "text", text }];
    // The file follows its label.
    return labels[index - 1] === undefined ? [part] : [];
  });
  return { ...message, content } as ChatCompletionMessageParam;
}

function partsOf({ content }: ChatCompletionMessageParam): readonly ChatCompletionContentPart[] {
  return Array.isArray(content) ? (content as readonly ChatCompletionContentPart[]) : [];
}

const FILES_FOLLOW = "These are the files that the tools returned.";
