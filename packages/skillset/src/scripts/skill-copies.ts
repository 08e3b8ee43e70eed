import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SkillError } from "../core/base/errors.ts";
import { isStored, type Skill } from "../core/skill/skill.ts";
import { normaliseRelative } from "../core/text/relative-path.ts";
import { removeTree } from "../node/copy/remove-tree.ts";
import { digestContent, type FolderContent, hashFile, hashFolder } from "../node/skill-folder/folder-digest.ts";
import { makeScriptFolder } from "./process/shared-folder.ts";
import { TOOLSET_PROGRAM_TEXT, TOOLSET_PROGRAMS } from "./toolset-program.ts";

/** A copy of a skill's files, for one version. */
export interface SkillCopy {
  readonly folder: string;
  readonly digest: string;
  /** Says that the copy is no longer used. */
  release(): void;
}

interface Version {
  readonly skill: string;
  readonly digest: string;
  readonly folder: Promise<string>;
  users: number;
}

/**
 * Copies skills for their scripts. A copy has no links, and nobody changes it after consent was given to its digest. Each
 * version is copied once, and removed when a later version is copied and no script uses it.
 */
export class SkillCopies {
  readonly #versions = new Set<Version>();
  #base: string | undefined;
  #count = 0;

  async of(skill: Skill, signal: AbortSignal): Promise<SkillCopy> {
    const digest = await skill.digest({ signal });
    const version = this.#find(skill.name, digest) ?? this.#add(skill, digest);
    version.users++;
    const release = (): void => {
      version.users--;
    };
    try {
      const folder = await version.folder;
      // Some systems remove old files from the temporary folder.
      if (existsSync(folder)) return { folder, digest, release };
      this.#versions.delete(version);
    } catch (error) {
      release();
      throw error;
    }
    release();
    return this.of(skill, signal);
  }

  #find(skill: string, digest: string): Version | undefined {
    return [...this.#versions].find((one) => one.skill === skill && one.digest === digest);
  }

  #add(skill: Skill, digest: string): Version {
    for (const old of this.#versions) {
      if (old.skill !== skill.name || old.users > 0) continue;
      this.#versions.delete(old);
      old.folder.then(removeTree, () => {});
    }
    this.#base =
      this.#base !== undefined && existsSync(this.#base) ? this.#base : makeScriptFolder("skillset-scripts-");
    const folder = join(this.#base, String(this.#count++));
    const version: Version = { skill: skill.name, digest, folder: copySkill(skill, digest, folder), users: 0 };
    this.#versions.add(version);
    version.folder.catch(() => this.#versions.delete(version));
    return version;
  }
}

async function copySkill(skill: Skill, digest: string, folder: string): Promise<string> {
  mkdirSync(folder, { mode: 0o755 });
  try {
    const hashes = await copyFiles(skill, folder);
    if (await isVersion(skill, digest, hashes)) return folder;
    throw new SkillError("script-refused", `Skill '${skill.name}' was changed while it was being copied. Try again.`);
  } catch (error) {
    removeTree(folder);
    throw error;
  }
}

/** Copies files and folders, and returns the hash of each file. */
async function copyFiles(skill: Skill, folder: string): Promise<FolderContent> {
  const hashes = new Map<string, string>();
  const folders = new Set([folder]);
  for (const { path: given, kind } of await skill.files.list()) {
    // A source of skills may list anything.
    const path = normaliseRelative(given);
    const target = join(folder, path);
    const parent = kind === "directory" ? target : dirname(target);
    mkdirSync(parent, { recursive: true, mode: 0o755 });
    for (let one = parent; one !== folder; one = dirname(one)) folders.add(one);
    if (kind !== "file") continue;
    const bytes = await skill.files.read(path);
    hashes.set(path, hashFile(bytes));
    writeFileSync(target, bytes, { flag: "wx" });
    // Some scripts call others directly, so all files are executable. The mode at creation depends on the umask.
    chmodSync(target, 0o555);
  }
  if (skill.toolsets !== undefined)
    for (const name of Object.values(TOOLSET_PROGRAMS))
      writeFileSync(join(folder, name), TOOLSET_PROGRAM_TEXT, PROGRAM);
  for (const one of folders) chmodSync(one, 0o555);
  return hashes;
}

const PROGRAM = { flag: "wx", mode: 0o444 };

/**
 * Whether the copied files belong to the version with this digest. The files of a folder are compared one by one: it may
 * have changed and changed back meanwhile.
 */
async function isVersion(skill: Skill, digest: string, copied: FolderContent): Promise<boolean> {
  if (!isStored(skill)) return (await skill.digest()) === digest;
  const content = hashFolder(skill.basePath);
  if (digestContent(content) !== digest) return false;
  const all = new Set(content.values());
  // A link is copied as the file that it leads to.
  return [...copied].every(([path, hash]) =>
    content.get(path)?.startsWith("link:") ? all.has(hash) : content.get(path) === hash,
  );
}
