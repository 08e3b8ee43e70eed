import { hostedBy } from "../host/skill-host.ts";
import { isScriptPath } from "../script/is-script.ts";
import type { SessionSkills } from "./conversation.ts";

/** Whether any skill has a script that something runs. Only a yes is remembered: a folder can get its first script at any time. */
export async function hasScript(skillset: SessionSkills): Promise<boolean> {
  if (WITH_SCRIPTS.has(skillset)) return true;
  for (const { isRemote, files } of hostedBy("scripts", skillset)) {
    // Listing the files of a remote skill sends requests.
    const listed = isRemote ? [] : await files.list().catch(() => []);
    if (!listed.some(({ kind, path }) => kind === "file" && isScriptPath(path))) continue;
    WITH_SCRIPTS.add(skillset);
    return true;
  }
  return false;
}

const WITH_SCRIPTS = new WeakSet<SessionSkills>();
