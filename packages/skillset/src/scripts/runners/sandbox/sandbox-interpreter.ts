import { realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { removeOwnedFolder } from "../../../node/copy/owned-folder.ts";
import { findInterpreters, type Interpreter } from "../../process/find-interpreter.ts";
import type { Language } from "../../process/interpreter.ts";
import { findPythonHome, PYTHON_TEST } from "../../process/python-home.ts";
import { PROGRAMS_FOLDER } from "./profile.ts";
import type { Sandbox } from "./sandbox.ts";

/** An interpreter as the sandbox sees it. */
export interface SandboxInterpreter extends Interpreter {
  /** The program outside the sandbox. */
  readonly hostProgram: string;
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
    if (system !== undefined) return { ...found, program: system, hostProgram: found.program, mounts: {} };
    const mounted = language === "python" ? await mountPython(found) : mountProgram(found);
    if (mounted !== undefined && (await works(sandbox, mounted))) return mounted.interpreter;
  }
  return undefined;
}

/** The path of a program that the sandbox has anyway. */
export function systemPath(program: string): string | undefined {
  const isSystem = (path: string): boolean => /^\/(?:usr|bin|sbin|nix\/store)\//.test(path);
  const real = realpathSync(program);
  if (!isSystem(real)) return undefined;
  return isSystem(program) ? program : real;
}

function mountProgram(found: Interpreter): Mounted {
  const program = join(PROGRAMS_FOLDER, basename(found.program));
  return {
    interpreter: { ...found, program, hostProgram: found.program, mounts: { [program]: realpathSync(found.program) } },
    test: ["--version"],
  };
}

/**
 * Python needs its library. It is mounted where it is on the host, because programs can contain that path, unless that is
 * in a folder of the sandbox.
 */
async function mountPython(found: Interpreter): Promise<Mounted | undefined> {
  const home = await findPythonHome(found.program);
  if (home === undefined) return undefined;
  const isTaken = /^\/(?:skill|output|tmp|usr|bin|sbin|lib\w*|etc|proc|dev|nix)(?:\/|$)/.test(home.root);
  const folder = isTaken ? join(PROGRAMS_FOLDER, "python") : home.root;
  return {
    interpreter: {
      ...found,
      program: join(folder, home.program),
      // Not the program on the PATH: in another folder, that of pyenv may start another version.
      hostProgram: join(home.root, home.program),
      mounts: { [folder]: home.root },
    },
    test: PYTHON_TEST,
    // With the library of another version, it would start and fail later.
    prints: home.version,
  };
}

async function works(sandbox: Sandbox, { interpreter, test, prints }: Mounted): Promise<boolean> {
  const folder = sandbox.makeFolder();
  const end = await sandbox.run({
    skillFolder: folder,
    outputFolder: folder,
    writesToDisk: true,
    command: [interpreter.program, ...test],
    mounts: interpreter.mounts,
    limits: { time: 10_000, output: 10_000, memory: 2 ** 29, processes: 64, files: 1_000_000 },
    signal: new AbortController().signal,
    onOutput: () => {},
  });
  removeOwnedFolder(folder);
  return end.outcome === "exited" && end.exitCode === 0 && (prints === undefined || end.stdout === prints);
}
