import { join } from "node:path";
import type { ScriptHost } from "../../core/host/script-host.ts";
import type { DeclaredPackages, PackageStatus } from "../../core/script/packages.ts";
import type { Skill } from "../../core/skill/skill.ts";
import { findPackages } from "../../scripts/packages/find-packages.ts";
import { findNodePackage } from "./node-package.ts";
import { findPythonPackage, type InstalledPackage, normalise } from "./python.ts";

/** A package that a skill requires. */
interface Wanted {
  readonly name: string;
  readonly manager: "pip" | "npm";
}

/** What a skill's own packages are for a requirement. */
export interface PreparedPackage {
  /** The package, if it was installed for the skill's scripts. */
  readonly installed?: InstalledPackage | undefined;
  /** Whether a file of the skill declares it, so that it can be installed for the scripts. */
  readonly isDeclared: boolean;
}

/** Looks for packages among those that were installed for a skill's scripts, and among those that its files declare. */
export class PreparedPackages {
  readonly #signal: AbortSignal;
  readonly #known = new Map<Skill, Promise<Known>>();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  async find(wanted: Wanted, skill: Skill, scripts: ScriptHost | undefined): Promise<PreparedPackage> {
    // Every file of a remote skill is one more request.
    if (skill.isRemote) return { isDeclared: false };
    const known = this.#known.get(skill) ?? this.#read(skill, scripts);
    this.#known.set(skill, known);
    try {
      const { declared, folder } = await known;
      return { installed: await installedIn(folder, wanted), isDeclared: isDeclared(wanted, declared) };
    } catch {
      // A skill that cannot be read or copied is reported when it is used.
      return { isDeclared: false };
    }
  }

  async #read(skill: Skill, scripts: ScriptHost | undefined): Promise<Known> {
    const declared = await findPackages(skill.files, this.#signal);
    // Finding the folder takes a copy of the skill.
    if (scripts === undefined || declared.python.length + declared.npm.length === 0) return { declared };
    return scripts.packagesOf(skill, this.#signal);
  }
}

type Known = Pick<PackageStatus, "declared" | "folder">;

async function installedIn(
  folder: string | undefined,
  { name, manager }: Wanted,
): Promise<InstalledPackage | undefined> {
  if (folder === undefined) return undefined;
  if (manager === "npm") return findNodePackage(name, folder);
  return findPythonPackage(name, [join(folder, "python")]);
}

function isDeclared({ name, manager }: Wanted, { python, npm, refused }: DeclaredPackages): boolean {
  if (refused.length > 0) return false;
  if (manager === "npm") return npm.some((spec) => spec.slice(0, spec.lastIndexOf("@")) === name);
  return python.some((spec) => normalise(/^[\w.-]*/.exec(spec)?.[0] ?? "") === normalise(name));
}
