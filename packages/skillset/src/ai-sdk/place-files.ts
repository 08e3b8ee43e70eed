import type { ModelMessage, ToolResultPart } from "ai";
import { fileText, isDocumentType } from "../adapter/index.ts";

/** Where a provider takes a file: in a tool's result, in a message of the user after it, or nowhere. */
export type FilePlace = "result" | "message" | "nowhere";

/** Returns where to put a file. Providers of the AI SDK differ: some write a file in a result as JSON, or drop it. */
export function placeOfFile(provider: string, mediaType: string): FilePlace {
  if (!isDocumentType(mediaType)) return "nowhere";
  if (IN_RESULTS.test(provider)) return "result";
  const isText = mediaType.startsWith("text/");
  if (ANTHROPIC.test(provider)) return isText ? "message" : "result";
  // Every provider takes images and PDF in messages. Not all take text.
  return isText ? "nowhere" : "message";
}

const IN_RESULTS = /^(?:openai|azure)\.responses$|^google\.(?:generative-ai|vertex)/;
const ANTHROPIC = /(?:^|\.)anthropic\.messages$/;

export interface PlaceFilesOptions {
  /** Returns where to put a file. */
  readonly placeOf: (mediaType: string) => FilePlace;
  /** Whether the tool belongs to the host, which decides itself what its results contain. */
  readonly isOwn: (tool: string) => boolean;
}

type Output = ToolResultPart["output"];
type Content = Extract<Output, { type: "content" }>["value"];
type Part = Content[number];
type File = Extract<Part, { type: "file" }>;
type UserPart = Exclude<Extract<ModelMessage, { role: "user" }>["content"], string>[number];

/** Moves files out of the results of skills' tools, for providers that do not take them there. */
export function placeFiles(messages: readonly ModelMessage[], { placeOf, isOwn }: PlaceFilesOptions): ModelMessage[] {
  return messages.flatMap((message): ModelMessage[] => {
    if (message.role !== "tool") return [message];
    const moved: UserPart[] = [];
    const content = message.content.map((part) => {
      if (part.type !== "tool-result" || part.output.type !== "content" || isOwn(part.toolName)) return part;
      const value = part.output.value.map((one) =>
        one.type === "file" ? place(one, placeOf(one.mediaType), moved) : one,
      );
      return { ...part, output: toSimplest(value) };
    });
    if (moved.length === 0) return [{ ...message, content }];
    return [
      { ...message, content },
      { role: "user", content: [{ type: "text", text: FILES_FOLLOW }, ...moved] },
    ];
  });
}

const FILES_FOLLOW = "These are the files that the tools returned.";

/** Returns what stays in the result. */
function place(file: File, where: FilePlace, moved: UserPart[]): Part {
  if (where === "result") return file;
  const { mediaType, filename = "" } = file;
  const isText = mediaType.startsWith("text/");
  if (where === "message") {
    const data = isText ? { type: "text" as const, text: textIn(file) } : file.data;
    moved.push({ type: "text", text: `'${filename}':` }, { type: "file", mediaType, filename, data });
    return { type: "text", text: `[${filename} is below the results.]` };
  }
  return { type: "text", text: isText ? textIn(file) : `[${filename} (${mediaType}) cannot be sent to this model.]` };
}

/** Texts alone are sent as a string, because some endpoints accept nothing else. */
function toSimplest(value: Content): Output {
  const texts = value.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return texts.length === value.length ? { type: "text", value: texts.join("\n\n") } : { type: "content", value };
}

function textIn({ data }: File): string {
  if (data.type === "text") return data.text;
  if (data.type !== "data" || typeof data.data !== "string") return "";
  return fileText({ data: Uint8Array.from(atob(data.data), (sign) => sign.charCodeAt(0)) });
}
