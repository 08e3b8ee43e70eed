import type { Attachment } from "../../../shared/attachments-api.ts";

/** Keeps the uploaded files of an unsent message across reloads. */
export function keepDraftFiles(chatId: string, files: readonly Attachment[]): void {
  try {
    if (files.length === 0) localStorage.removeItem(keyOf(chatId));
    else localStorage.setItem(keyOf(chatId), JSON.stringify({ at: Date.now(), files }));
  } catch {
    // The storage is full or disabled; the files stay in the field.
  }
}

export function readDraftFiles(chatId: string): readonly Attachment[] {
  try {
    const { at, files } = JSON.parse(localStorage.getItem(keyOf(chatId)) ?? "{}") as Partial<Draft>;
    return files !== undefined && Date.now() - (at ?? 0) < LONGEST_WAIT ? files : [];
  } catch {
    return [];
  }
}

/** Forgets files once the server has their message. Files that were added since stay. */
export function dropDraftFiles(chatId: string, sent: ReadonlySet<string>): void {
  const files = readDraftFiles(chatId);
  if (files.some(({ id }) => sent.has(id))) {
    keepDraftFiles(
      chatId,
      files.filter(({ id }) => !sent.has(id)),
    );
  }
}

interface Draft {
  readonly at: number;
  readonly files: readonly Attachment[];
}

/** The server removes files that are not sent within a day. */
const LONGEST_WAIT = 23 * 3_600_000;

function keyOf(chatId: string): string {
  return `draft-files:${chatId}`;
}
