import { chmodSync } from "node:fs";
import { SkillError } from "../../core/base/errors.ts";
import { makeTemporaryFolder } from "../../node/copy/owned-folder.ts";

/**
 * Creates a temporary folder whose contents a sandbox can use. Others may pass through it if this is root, because the
 * sandbox then runs as another user. The random name still keeps them out.
 */
export function makeSharedFolder(prefix: string): string {
  const folder = makeTemporaryFolder(prefix);
  if (process.getuid?.() === 0) chmodSync(folder, 0o711);
  return folder;
}

/** The same for a script that is about to run. A failure is a sentence without paths, because a model may read it. */
export function makeScriptFolder(prefix: string): string {
  try {
    return makeSharedFolder(prefix);
  } catch (error) {
    const { code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    const message = `The script did not start: this machine cannot create temporary files (${code}).`;
    throw new SkillError("script-refused", message, { cause: error });
  }
}
