import { SkillError } from "skillset";
import { outputsOf } from "skillset/scripts";
import type { Attachment } from "../../shared/attachments-api.ts";
import type { AttachmentStore } from "../attachments/attachment-store.ts";
import type { ChatSkills } from "./chat-skills.ts";

export interface PlaceFilesOptions {
  readonly attachments: AttachmentStore | undefined;
  readonly skills: Pick<ChatSkills, "registry"> | undefined;
  readonly signal: AbortSignal;
}

/**
 * Writes the attached files of a chat to the folder of its scripts, and returns the paths of those that are there. Files
 * that exist already stay as they are, because a script may have changed them.
 */
export async function placeFiles(
  chatId: string,
  files: readonly Attachment[],
  { attachments, skills, signal }: PlaceFilesOptions,
): Promise<ReadonlySet<string>> {
  const outputs = skills && outputsOf(skills.registry.current, chatId);
  if (outputs === undefined || attachments === undefined || files.length === 0) return new Set();
  const placed = new Set((await outputs.list(undefined, { signal })).map(({ path }) => path));
  for (const { id, path } of files) {
    if (path === undefined || placed.has(path)) continue;
    const stored = await attachments.get(id);
    if (stored === undefined) continue;
    try {
      await outputs.write(path, await readAll(attachments.read(stored)), { signal });
      placed.add(path);
    } catch (error) {
      // The folder is full, or the system refuses the name. The model is told that scripts do not have this file.
      if (!(error instanceof SkillError)) throw error;
    }
  }
  return placed;
}

export async function readAll(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}
