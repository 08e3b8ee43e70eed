import { SkillError } from "skillset";
import { outputsOf } from "skillset/scripts";
import type { ChatSkills } from "./chat-skills.ts";

/** Copies the files of a chat's scripts to another chat, which has copies of the messages that show them. */
export async function copyFiles(
  from: string,
  to: string,
  skills: Pick<ChatSkills, "registry"> | undefined,
): Promise<void> {
  if (skills === undefined) return;
  const { current } = skills.registry;
  const [source, target] = [outputsOf(current, from), outputsOf(current, to)];
  if (source === undefined || target === undefined) return;
  for (const { path, kind } of await source.list()) {
    if (kind !== "file") continue;
    try {
      await target.write(path, await source.read(path));
    } catch (error) {
      // A script has just removed the file, or it exceeds a limit. The fork has the others.
      if (!(error instanceof SkillError)) throw error;
    }
  }
}
