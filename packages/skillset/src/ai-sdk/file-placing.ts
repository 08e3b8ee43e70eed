import type { LanguageModel, ModelMessage, ToolContent } from "ai";
import { type FilePlace, placeFiles, placeOfFile } from "./place-files.ts";

/** Whether files are sent; a function decides by the media type. */
export type FilesOption = boolean | ((mediaType: string) => boolean);

/** Places the files in the results of skills' tools, as the provider of the current model takes them. */
export class FilePlacing {
  readonly #isTaken: (mediaType: string) => boolean;
  readonly #isOwn: (tool: string) => boolean;
  /** Known from the first step on; tools are called later. */
  #provider = "";

  /** `isOwn` says whether a tool belongs to the host. */
  constructor(files: FilesOption, isOwn: (tool: string) => boolean) {
    this.#isTaken = typeof files === "function" ? files : () => files;
    this.#isOwn = isOwn;
  }

  /** Sets the model of the current step. */
  use(model: LanguageModel | undefined): void {
    this.#provider = typeof model === "object" ? model.provider : "";
  }

  /** Whether the model can be given a file with this media type. */
  readonly takesFile = (mediaType: string): boolean => this.#placeOf(mediaType) !== "nowhere";

  /** Returns the messages with the files where the provider takes them, or the same list if there are no files. */
  place(messages: readonly ModelMessage[]): readonly ModelMessage[] {
    const hasFiles = messages.some(({ role, content }) => role === "tool" && content.some(hasContent));
    if (!hasFiles) return messages;
    return placeFiles(messages, { placeOf: (mediaType) => this.#placeOf(mediaType), isOwn: this.#isOwn });
  }

  #placeOf(mediaType: string): FilePlace {
    return this.#isTaken(mediaType) ? placeOfFile(this.#provider, mediaType) : "nowhere";
  }
}

function hasContent(part: ToolContent[number]): boolean {
  return part.type === "tool-result" && part.output.type === "content";
}
