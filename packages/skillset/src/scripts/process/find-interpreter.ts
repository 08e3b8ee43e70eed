import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { basename, delimiter, isAbsolute, join } from "node:path";
import { promisify } from "node:util";
import { DENO_RUN, type Language } from "./interpreter.ts";

/** A program that runs scripts of a language, with the arguments before the script. */
export interface Interpreter {
  /** An absolute path. */
  readonly program: string;
  readonly args: readonly string[];
}

/** Finds the programs on this machine that can run a language, the preferred one first. */
export async function findInterpreters(language: Language): Promise<readonly Interpreter[]> {
  if (language === "javascript") return nodes().map((program) => ({ program, args: [] }));
  if (language === "typescript") return typescript();
  const args = language === "python" ? PYTHON_ARGS : [];
  return onPath(PROGRAMS[language]).map((program) => ({ program, args }));
}

/** One sentence for a language that nothing here can run. */
export function missingInterpreter(language: Language): string {
  const names: Readonly<Record<Language, string>> = {
    ...PROGRAMS,
    javascript: "node",
    typescript: "node 22.18 or later, or deno",
  };
  return `The script needs a program that cannot be used here: ${names[language]}. Install it, and try again.`;
}

export const PROGRAMS = { shell: "sh", bash: "bash", python: "python3", ruby: "ruby", perl: "perl" } as const;

/** Without files next to the imported modules, and with output that arrives at once. */
export const PYTHON_ARGS = ["-B", "-u"];

/** This program's own Node first. The executable of another runtime is not Node. */
function nodes(): readonly string[] {
  const isNode = /^node(?:\.exe)?$/i.test(basename(process.execPath));
  return [...new Set([...(isNode ? [process.execPath] : []), ...onPath("node")])];
}

async function typescript(): Promise<readonly Interpreter[]> {
  const found = await Promise.all(
    nodes().map(async (program) => {
      const args = await stripArgs(program);
      return args === undefined ? [] : { program, args };
    }),
  );
  return [...found.flat(), ...onPath("deno").map((program) => ({ program, args: DENO_RUN }))];
}

const STRIP = new Map<string, Promise<readonly string[] | undefined>>();

/** The arguments with which a Node runs TypeScript. Undefined if it cannot. */
function stripArgs(program: string): Promise<readonly string[] | undefined> {
  const known = STRIP.get(program) ?? askNode(program);
  STRIP.set(program, known);
  return known;
}

export const TYPESCRIPT_QUESTION =
  "process.features.typescript ? 'yes' : process.allowedNodeEnvironmentFlags.has('--experimental-strip-types') && 'flag'";

const QUIET = "--disable-warning=ExperimentalWarning";

/** Arguments of Node, by its answer. */
export const TYPESCRIPT_ARGS: Readonly<Record<string, readonly string[]>> = {
  yes: [QUIET],
  flag: ["--experimental-strip-types", QUIET],
};

async function askNode(program: string): Promise<readonly string[] | undefined> {
  try {
    const { stdout } = await promisify(execFile)(program, ["-p", TYPESCRIPT_QUESTION], { env: {}, timeout: 10_000 });
    return TYPESCRIPT_ARGS[stdout.trim()];
  } catch {
    return undefined;
  }
}

/** Returns where a program is on the `PATH`. Relative folders there are ignored. */
export function onPath(name: string): readonly string[] {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(isAbsolute);
  const names = process.platform === "win32" ? [`${name}.exe`] : [name];
  return [...new Set(folders.flatMap((folder) => names.map((one) => join(folder, one))))].filter(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
