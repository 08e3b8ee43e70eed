import { LIMITS } from "../../core/base/limits.ts";
import { findOnPath } from "./find-on-path.ts";
import { findNodePackage } from "./node-package.ts";
import type { InstalledPackage, Python } from "./python.ts";

/** Looks up what this machine has, once for each name. A text says why something cannot be looked up. */
export class Machine {
  readonly #cwd: string;
  readonly #commands = new Map<string, Promise<boolean | string>>();
  readonly #packages = new Map<string, Promise<InstalledPackage | string | undefined>>();
  #python: Promise<Python | string> | undefined;

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  command(name: string): Promise<boolean | string> {
    return this.#once(this.#commands, name, async () => (await findOnPath(name)) !== undefined);
  }

  /** The `python3` on PATH, or the `python`, which Windows has instead. */
  python(): Promise<Python | string> {
    this.#python ??= (async () => {
      const program = (await findOnPath("python3")) ?? (await findOnPath("python"));
      return program === undefined ? "python3 is not on PATH" : (await loadPython()).inspectPython(program);
    })();
    return this.#python;
  }

  pythonPackage(name: string): Promise<InstalledPackage | string | undefined> {
    return this.#once(this.#packages, `pip:${name}`, async () => {
      const python = await this.python();
      return typeof python === "string" ? python : (await loadPython()).findPythonPackage(name, python.folders);
    });
  }

  /** Searches `node_modules` of the skill's folder, of the working directory, and of their parents. */
  nodePackage(name: string, folder = this.#cwd): Promise<InstalledPackage | string | undefined> {
    return this.#once(this.#packages, `npm:${name} ${folder}`, async () => {
      return (await findNodePackage(name, folder)) ?? findNodePackage(name, this.#cwd);
    });
  }

  #once<Result>(
    known: Map<string, Promise<Result>>,
    key: string,
    look: () => Promise<Result>,
  ): Promise<Result | string> {
    const before = known.get(key);
    if (before !== undefined) return before;
    if (this.#commands.size + this.#packages.size >= LIMITS.hard.requirementLookups) return Promise.resolve(TOO_MANY);
    const result = look();
    known.set(key, result);
    return result;
  }
}

/** Loaded on demand: starting programs needs more of Node than looking up files. */
function loadPython(): Promise<typeof import("./python.ts")> {
  return import("./python.ts");
}

export const TOO_MANY = `the skills require more than ${LIMITS.hard.requirementLookups} different commands and packages`;
