import { fileURLToPath } from "node:url";
import { type ProcessJob, runProcess } from "skillset/scripts";

/**
 * Whether a script imports files outside of folders. Deno asks for no permission to read what it can find by reading the
 * source code: files of import statements, and of `import()` with a fixed text. So the script could print any module or
 * JSON file of the machine. Everything else needs permission while the script runs.
 */
export async function importsOutside(
  job: Omit<ProcessJob, "command" | "onOutput">,
  deno: string,
  file: string,
  folders: readonly string[],
): Promise<boolean> {
  const { stdin: _stdin, ...rest } = job;
  const end = await runProcess({
    ...rest,
    command: [deno, "info", "--json", ...MODULE_FLAGS, file],
    onOutput: () => {},
  });
  if (end.outcome === "aborted") return false;
  // What cannot be checked could import anything.
  if (end.outcome !== "exited" || end.exitCode !== 0) return true;
  const { modules = [] } = JSON.parse(end.stdout) as { modules?: readonly Module[] };
  const isWithin = (path: string): boolean => folders.some((folder) => path.startsWith(`${folder}/`));
  return modules.some((module) => isUnreadable(module) || filesOf(module).some((path) => !isWithin(path)));
}

/** What decides how Deno finds modules. It must be the same where they are checked and where they run. */
export const MODULE_FLAGS = ["--quiet", "--no-remote", "--no-npm", "--no-config", "--no-lock"] as const;

/** A module in the output of `deno info --json`. */
interface Module {
  readonly specifier: string;
  readonly local?: string;
  readonly error?: string;
}

/** A file without an extension is read as JavaScript here, but may run as TypeScript. */
function isUnreadable({ specifier, error }: Module): boolean {
  return error !== undefined && specifier.startsWith("file:") && !/\.[a-z]+$/i.test(specifier);
}

function filesOf({ specifier, local }: Module): readonly string[] {
  const files = specifier.startsWith("file:") ? [fileURLToPath(specifier)] : [];
  return local === undefined ? files : [...files, local];
}
