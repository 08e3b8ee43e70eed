import type { AttachmentStore } from "../attachments/attachment-store.ts";
import { shownText } from "../attachments/shown-text.ts";
import type { AttachedSource, TextRecord } from "./step-record.ts";

/** What a request contains of one attached file. */
export interface AttachedText {
  readonly name: string;
  readonly text: string;
  /** Undefined if no content of the file is in the text. */
  readonly source?: AttachedSource | undefined;
}

/** Builds the texts of attached files in a request again. Those of files that the chat no longer has are left out. */
export async function attachedTexts(
  chatId: string,
  records: readonly TextRecord[],
  attachments: AttachmentStore | undefined,
): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const { source } of records) {
    const file = source && (await attachments?.find(chatId, source.digest));
    if (attachments === undefined || source === undefined || file === undefined) continue;
    const { text } = shownText(await attachments.head(file), source.characters);
    texts.push(source.before + text + source.after);
  }
  return texts;
}
