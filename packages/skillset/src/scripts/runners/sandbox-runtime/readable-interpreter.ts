import { realpathSync } from "node:fs";
import { join } from "node:path";
import { findInterpreters, type Interpreter } from "../../process/find-interpreter.ts";
import type { Language } from "../../process/interpreter.ts";
import { findPythonHome } from "../../process/python-home.ts";
import { systemPath } from "../sandbox/sandbox-interpreter.ts";

/** An interpreter, and the paths that it must be able to read. */
export interface ReadableInterpreter extends Interpreter {
  readonly reads: readonly string[];
}

/** Finds an interpreter at its own path, which is the same in the sandbox. */
export async function findReadableInterpreter(language: Language): Promise<ReadableInterpreter | undefined> {
  const known = FOUND.get(language) ?? find(language);
  FOUND.set(language, known);
  const found = await known;
  // It may be installed later.
  if (found === undefined) FOUND.delete(language);
  return found;
}

const FOUND = new Map<Language, Promise<ReadableInterpreter | undefined>>();

async function find(language: Language): Promise<ReadableInterpreter | undefined> {
  for (const found of await findInterpreters(language)) {
    const system = systemPath(found.program);
    if (system !== undefined) return { ...found, program: system, reads: [] };
    if (language !== "python") {
      const program = realpathSync(found.program);
      return { ...found, program, reads: [program] };
    }
    const home = await findPythonHome(found.program);
    if (home !== undefined) return { ...found, program: join(home.root, home.program), reads: [home.root] };
  }
  return undefined;
}
