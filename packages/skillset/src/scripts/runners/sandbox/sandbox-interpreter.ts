import { execFile } from "node:child_process";
import { realpathSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { promisify } from "node:util";
import { findInterpreters, type Interpreter } from "../../process/find-interpreter.ts";
import type { Language } from "../../process/interpreter.ts";
import { PROGRAMS_FOLDER } from "./profile.ts";
import type { Sandbox } from "./sandbox.ts";

/** An interpreter as the sandbox sees it. */
export interface SandboxInterpreter extends Interpreter {
  /** What must be mounted for it. */
  readonly mounts: Readonly<Record<string, string>>;
}

/** Finds an interpreter that works in the sandbox. One that is not part of the system is tried there first. */
export async function findSandboxInterpreter(
  sandbox: Sandbox,
  language: Language,
): Promise<SandboxInterpreter | undefined> {
  for (const found of await findInterpreters(language)) {
    const system = systemPath(found.program);
    if (system !== undefined) return { ...found, program: system, mounts: {} };
    const mounted = language === "python" ? await mountPython(found) : mountProgram(found);
    if (mounted !== undefined && (await works(sandbox, mounted, language))) return mounted;
  }
  return undefined;
}

/** The path of a program that the sandbox has anyway. */
function systemPath(program: string): string | undefined {
  const isSystem = (path: string): boolean => /^\/(?:usr|bin|sbin|nix\/store)\//.test(path);
  const real = realpathSync(program);
  if (!isSystem(real)) return undefined;
  return isSystem(program) ? program : real;
}

function mountProgram(found: Interpreter): SandboxInterpreter {
  const program = join(PROGRAMS_FOLDER, basename(found.program));
  return { ...found, program, mounts: { [program]: realpathSync(found.program) } };
}

/** Python needs its library. A program on the PATH may be a script that starts the real one. */
async function mountPython(found: Interpreter): Promise<SandboxInterpreter | undefined> {
  try {
    const question = "import sys; print(sys._base_executable); print(sys.base_prefix)";
    const { stdout } = await promisify(execFile)(found.program, ["-c", question], { timeout: 10_000 });
    const [executable = "", prefix = ""] = stdout.split("\n").map((line) => line && realpathSync(line));
    const inside = relative(prefix, executable);
    if (inside.startsWith("..") || prefix === "/") return undefined;
    const folder = join(PROGRAMS_FOLDER, "python");
    return { ...found, program: join(folder, inside), mounts: { [folder]: prefix } };
  } catch {
    return undefined;
  }
}

async function works(sandbox: Sandbox, { program, mounts }: SandboxInterpreter, language: Language): Promise<boolean> {
  const nothing = { javascript: ["-e", ""], python: ["-c", "import json"] };
  const args = nothing[language as keyof typeof nothing] ?? ["--version"];
  const folder = sandbox.makeFolder();
  const end = await sandbox.run({
    skillFolder: folder,
    outputFolder: folder,
    command: [program, ...args],
    mounts,
    limits: { time: 10_000, output: 10_000, memory: 2 ** 29, processes: 64, files: 1_000_000 },
    signal: new AbortController().signal,
    onOutput: () => {},
  });
  return end.outcome === "exited" && end.exitCode === 0;
}
