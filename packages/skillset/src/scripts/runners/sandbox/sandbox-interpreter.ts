import { execFile } from "node:child_process";
import { realpathSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { promisify } from "node:util";
import { removeOwnedFolder } from "../../../node/copy/owned-folder.ts";
import { findInterpreters, type Interpreter } from "../../process/find-interpreter.ts";
import type { Language } from "../../process/interpreter.ts";
import { PROGRAMS_FOLDER } from "./profile.ts";
import type { Sandbox } from "./sandbox.ts";

/** An interpreter as the sandbox sees it. */
export interface SandboxInterpreter extends Interpreter {
  /** What must be mounted for it. */
  readonly mounts: Readonly<Record<string, string>>;
}

/** An interpreter that is not part of the system, with a test that it works. */
interface Mounted {
  readonly interpreter: SandboxInterpreter;
  readonly test: readonly string[];
  /** What the test must print. */
  readonly prints?: string;
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
    if (mounted !== undefined && (await works(sandbox, mounted))) return mounted.interpreter;
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

function mountProgram(found: Interpreter): Mounted {
  const program = join(PROGRAMS_FOLDER, basename(found.program));
  return {
    interpreter: { ...found, program, mounts: { [program]: realpathSync(found.program) } },
    test: ["--version"],
  };
}

const VERSION = "import json, sys; print(sys.version)";

/**
 * Python needs its library. It is mounted where it is on the host, because programs can contain that path, unless that is
 * in a folder of the sandbox. A program on the PATH may be a script that starts the real one.
 */
async function mountPython(found: Interpreter): Promise<Mounted | undefined> {
  try {
    const question = `import sys; print(sys._base_executable); print(sys.base_prefix); ${VERSION}`;
    const { stdout } = await promisify(execFile)(found.program, ["-c", question], { timeout: 10_000 });
    const [executable = "", prefix = "", ...version] = stdout.split("\n");
    const root = realpathSync(prefix);
    const inside = relative(root, realpathSync(executable));
    if (inside.startsWith("..") || root === "/") return undefined;
    const isTaken = /^\/(?:skill|output|tmp|usr|bin|sbin|lib\w*|etc|proc|dev|nix)(?:\/|$)/.test(root);
    const folder = isTaken ? join(PROGRAMS_FOLDER, "python") : root;
    return {
      interpreter: { ...found, program: join(folder, inside), mounts: { [folder]: root } },
      test: ["-c", VERSION],
      // With the library of another version, it would start and fail later.
      prints: version.join("\n"),
    };
  } catch {
    return undefined;
  }
}

async function works(sandbox: Sandbox, { interpreter, test, prints }: Mounted): Promise<boolean> {
  const folder = sandbox.makeFolder();
  const end = await sandbox.run({
    skillFolder: folder,
    outputFolder: folder,
    command: [interpreter.program, ...test],
    mounts: interpreter.mounts,
    limits: { time: 10_000, output: 10_000, memory: 2 ** 29, processes: 64, files: 1_000_000 },
    signal: new AbortController().signal,
    onOutput: () => {},
  });
  removeOwnedFolder(folder);
  return end.outcome === "exited" && end.exitCode === 0 && (prints === undefined || end.stdout === prints);
}
