import { outputsOf } from "skillset/scripts";
import type { ChatMessage } from "../../shared/api.ts";
import type { AttachmentStore } from "../attachments/attachment-store.ts";
import type { ChatStore } from "../chats/chat-store.ts";
import { storable } from "../chats/storable.ts";
import { ApiFailure } from "../http/api-failure.ts";
import { attachmentsOf } from "./attachment-parts.ts";
import type { ChatSkills } from "./chat-skills.ts";

/** A message as a page sends it: files only have an id. */
export interface SentMessage extends Pick<ChatMessage, "id" | "role"> {
  readonly parts: readonly SentPart[];
}

type SentPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "data-attachment"; readonly data: { readonly id: string } };

export interface AttachFilesOptions {
  readonly attachments: AttachmentStore | undefined;
  readonly chats: Pick<ChatStore, "messages">;
  readonly skills: Pick<ChatSkills, "registry"> | undefined;
  /** The message that this one replaces. Its files may stay, whatever the settings say now. */
  readonly replaceFrom?: string | undefined;
}

/** Returns the message with what the server knows of its files, which from now on belong to the chat. */
export async function attachFiles(
  chatId: string,
  { parts, ...message }: SentMessage,
  { attachments, chats, skills, replaceFrom }: AttachFilesOptions,
): Promise<ChatMessage> {
  const ids = new Set(parts.flatMap((part) => (part.type === "data-attachment" ? [part.data.id] : [])));
  const texts = parts.filter((part) => part.type === "text");
  if (ids.size === 0) return { ...message, parts: texts };
  const shown = replaceFrom === undefined ? [] : await chats.messages(storable(chatId));
  const replaced = shown.filter(({ id }) => id === replaceFrom);
  const known = new Map(attachmentsOf(replaced).map((file) => [file.id, file]));
  const added = [...ids].filter((id) => !known.has(id));
  if (added.length > 0) {
    checkFiles(attachments, ids.size);
    const written = (await (skills && outputsOf(skills.registry.current, chatId))?.list()) ?? [];
    const taken = new Set(written.map(({ path }) => path.toLowerCase()));
    const claimed = await attachments.claim(chatId, added, (path) => taken.has(path.toLowerCase()));
    for (const file of claimed) known.set(file.id, file);
  }
  const files = [...ids].flatMap((id) => known.get(id) ?? []);
  return { ...message, parts: [...files.map((data) => ({ type: "data-attachment" as const, data })), ...texts] };
}

function checkFiles(attachments: AttachmentStore | undefined, count: number): asserts attachments {
  if (attachments === undefined) {
    throw new ApiFailure(400, "attachments-off", "Attachments are disabled in the settings.");
  }
  const { maxFiles } = attachments.config;
  if (count > maxFiles) {
    throw new ApiFailure(400, "too-many-files", `A message can have ${maxFiles} files at most, not ${count}.`);
  }
}
