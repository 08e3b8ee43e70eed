import { execFile } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { promisify } from "node:util";

/** Where a Python really is. A program on the PATH may be a script that starts it. */
export interface PythonHome {
  /** The folder with the library, without links. */
  readonly root: string;
  /** The path of the program in it. */
  readonly program: string;
  /** What `PYTHON_TEST` prints if it works. */
  readonly version: string;
}

/** Arguments for a test in the sandbox: the library is found, and belongs to this version. */
export const PYTHON_TEST = ["-I", "-c", "import json, sys; print(sys.version)"];

/** Isolated and in the root folder: modules and settings of the working directory must not run on the host. */
const QUESTION = ["-I", "-c", "import sys; print(sys._base_executable); print(sys.base_prefix); print(sys.version)"];

/**
 * Asks a Python where it is. Undefined if it does not answer, or is not in one folder with its library, or if that folder
 * has files of others: scripts can read all of it.
 */
export async function findPythonHome(program: string): Promise<PythonHome | undefined> {
  try {
    const { stdout } = await promisify(execFile)(program, QUESTION, { cwd: "/", timeout: 10_000 });
    const [executable = "", prefix = "", ...version] = stdout.split("\n");
    const root = realpathSync(prefix);
    const inside = relative(root, realpathSync(executable));
    if (inside.startsWith("..") || isShared(root)) return undefined;
    return { root, program: inside, version: version.join("\n") };
  } catch {
    return undefined;
  }
}

/** Whether people and programs keep other files in a folder, as in `/opt`, a home and `~/.local`. */
function isShared(root: string): boolean {
  if (SHARED.test(root)) return true;
  const home = existsSync(homedir()) ? realpathSync(homedir()) : homedir();
  return !relative(root, join(home, ".local/share")).startsWith("..");
}

const SHARED =
  /^\/(?:private\/)?(?:etc|media|mnt|opt|run|srv|tmp|var|Volumes|(?:home|Users)(?:\/[^/]+)?(?:\/\.local)?|root(?:\/\.local)?)?$/;
