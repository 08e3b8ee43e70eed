import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ScriptJob } from "../../../core/script/script.ts";
import { PROGRAMS_FOLDER } from "./profile.ts";

const PYTHON = join(PROGRAMS_FOLDER, "packages");

/**
 * The mounts and variables with which scripts find prepared packages. Node looks for modules in `node_modules` of all
 * folders above a script, so the folder is at the root.
 */
export function packageMounts({ packagesFolder }: Pick<ScriptJob, "packagesFolder">): {
  readonly mounts: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
} {
  if (packagesFolder === undefined) return { mounts: {}, env: {} };
  const [python, npm] = [join(packagesFolder, "python"), join(packagesFolder, "node_modules")];
  const hasPython = existsSync(python);
  return {
    mounts: { ...(hasPython && { [PYTHON]: python }), ...(existsSync(npm) && { "/node_modules": npm }) },
    env: hasPython ? { PYTHONPATH: PYTHON } : {},
  };
}
