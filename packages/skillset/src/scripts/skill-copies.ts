import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SkillError } from "../core/base/errors.ts";
import type { Skill } from "../core/skill/skill.ts";
import { makeTemporaryFolder } from "../node/copy/owned-folder.ts";

/** A copy of a skill's files, for one version. */
export interface SkillCopy {
  readonly folder: string;
  readonly digest: string;
}

/**
 * Copies skills for their scripts. A copy has no links, and nobody changes it after consent was given to its digest. Each
 * version is copied once.
 */
export class SkillCopies {
  readonly #copies = new Map<string, Promise<string>>();
  #base: string | undefined;

  async of(skill: Skill, signal: AbortSignal): Promise<SkillCopy> {
    const digest = await skill.digest({ signal });
    const key = `${skill.name}\0${digest}`;
    const known = this.#copies.get(key);
    if (known !== undefined) return { folder: await known, digest };
    const copying = this.#copy(skill, digest);
    this.#copies.set(key, copying);
    copying.catch(() => this.#copies.delete(key));
    return { folder: await copying, digest };
  }

  async #copy(skill: Skill, digest: string): Promise<string> {
    this.#base ??= openBase();
    const folder = join(this.#base, String(this.#copies.size));
    mkdirSync(folder, { mode: 0o755 });
    const folders = new Set([folder]);
    for (const { path, kind } of await skill.files.list()) {
      const target = join(folder, path);
      const parent = kind === "directory" ? target : dirname(target);
      mkdirSync(parent, { recursive: true, mode: 0o755 });
      for (let one = parent; one !== folder; one = dirname(one)) folders.add(one);
      if (kind !== "file") continue;
      writeFileSync(target, await skill.files.read(path), { flag: "wx" });
      // Some scripts call others directly, so all files are executable. Set here, because the process may have a umask.
      chmodSync(target, 0o555);
    }
    for (const one of folders) chmodSync(one, 0o555);
    if ((await skill.digest()) !== digest) {
      throw new SkillError("script-refused", `Skill '${skill.name}' was changed while it was being copied. Try again.`);
    }
    return folder;
  }
}

/** Not private if this is root: the sandbox runs as another user. The random name still keeps others out. */
function openBase(): string {
  const base = makeTemporaryFolder("skillset-scripts-");
  if (process.getuid?.() === 0) chmodSync(base, 0o711);
  return base;
}
