import { SkillError } from "../base/errors.ts";
import { hideInBytes } from "../script/hide-in-bytes.ts";
import type { SessionContext } from "../session/context.ts";
import type { OutputFiles, ScriptHost } from "../session/script-host.ts";

/** Returns the files in a session's output folder, without secrets: a script that still runs may have written some. */
export function outputsOf(context: SessionContext): OutputFiles {
  const files = scriptHostOf(context).outputs(context.id);
  return {
    list: (directory, options) => files.list(directory, options),
    read: async (path, options) =>
      hideInBytes(path, await files.read(path, options), context.secrets.redactor, options?.signal),
    write: (path, bytes, options) => files.write(path, bytes, options),
  };
}

export function scriptHostOf({ skillset: { scripts } }: SessionContext): ScriptHost {
  if (scripts !== undefined) return scripts;
  throw new SkillError("scripts-disabled", "Scripts are disabled: no runner is configured.");
}
