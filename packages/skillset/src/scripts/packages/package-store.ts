import { createHash } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  type Stats,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { SkillError } from "../../core/base/errors.ts";
import type { DeclaredPackages, PackageOptions, PackageRegistries } from "../../core/script/packages.ts";
import { makeOwnedFolder, removeOwnedFolder, sweepOwnedFolders } from "../../node/copy/owned-folder.ts";
import { isReachable } from "../process/is-reachable.ts";
import { sealFolder } from "./seal-folder.ts";

const STAGING = ".staging-";
const KEY = /^[0-9a-f]{64}$/;
const INFO = "packages.json";
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/**
 * The installed packages of this user, one folder for each list of packages. A folder appears complete or not at all: it
 * is filled under another name and then renamed, so several processes can install at once.
 */
export class PackageStore {
  readonly #options: PackageOptions;
  #checked: string | undefined;

  constructor(options: PackageOptions) {
    this.#options = options;
  }

  /** Returns the folder of packages that are installed, from certain registries if given, and marks it as used. */
  find(key: string, from?: PackagePlaces): string | undefined {
    const folder = this.#open(false);
    if (folder === undefined) return undefined;
    const path = join(folder, key);
    const stats = ownFolder(path);
    if (stats === undefined || lstatSync(join(path, INFO), { throwIfNoEntry: false }) === undefined) return undefined;
    if (from !== undefined && !isFrom(path, from)) return undefined;
    if (Date.now() - stats.mtimeMs > HOUR) utimesSync(path, new Date(), new Date());
    return path;
  }

  /**
   * Fills an empty folder and keeps it if the work succeeds, instead of one from other registries. Whatever happens,
   * nothing else is left behind; what a killed process leaves is removed by the next one.
   */
  async add(
    key: string,
    { python, npm }: Pick<DeclaredPackages, "python" | "npm">,
    from: PackagePlaces,
    work: (folder: string) => Promise<boolean>,
  ): Promise<boolean> {
    const folder = this.#open(true) as string;
    sweepOwnedFolders(folder, STAGING);
    this.#sweep(folder);
    const staging = makeOwnedFolder(folder, STAGING);
    try {
      if (process.getuid?.() === 0) chmodSync(staging, 0o711);
      const filled = join(staging, "packages");
      mkdirSync(filled, { mode: 0o755 });
      if (!(await work(filled))) return false;
      const bytes = sealFolder(filled);
      chmodSync(filled, 0o755);
      const info = `${JSON.stringify({ python, npm, from, bytes })}\n`;
      writeFileSync(join(filled, INFO), info, { mode: 0o444, flag: "wx" });
      const target = join(folder, key);
      if (ownFolder(target) !== undefined && !isFrom(target, from)) discard(folder, target);
      rename(filled, target);
      return true;
    } finally {
      removeOwnedFolder(staging);
    }
  }

  /** Opens the folder that contains all packages. Throws if others can write to it. */
  #open(create: boolean): string | undefined {
    if (this.#checked !== undefined && lstatSync(this.#checked, { throwIfNoEntry: false })) return this.#checked;
    const given = this.#options.folder ?? defaultFolder();
    if (create) makeFolders(given);
    if (lstatSync(given, { throwIfNoEntry: false }) === undefined) return undefined;
    const folder = realpathSync(given);
    if (ownFolder(folder) === undefined)
      throw new SkillError(
        "option-invalid",
        `Other users can write to '${folder}', so packages in it are not used. Run 'chmod go-w' on it, or set 'scripts.packages.folder'.`,
      );
    if (process.getuid?.() === 0 && !isReachable(folder))
      throw new SkillError(
        "option-invalid",
        `Root runs the sandbox as another user, who cannot reach '${folder}'. Set 'scripts.packages.folder' to a folder that others may enter, such as /var/cache/skillset/packages.`,
      );
    this.#checked = folder;
    return folder;
  }

  /** Removes packages that were not used for long, and then the oldest ones until the rest fits. */
  #sweep(folder: string): void {
    const { keepFor = 30 * DAY, maxBytes = 5_000_000_000 } = this.#options;
    const kept = readdirSync(folder)
      .filter((name) => KEY.test(name))
      .flatMap((name) => {
        const path = join(folder, name);
        const stats = ownFolder(path);
        return stats === undefined ? [] : { path, usedAt: stats.mtimeMs, bytes: bytesOf(path) };
      })
      .sort((a, b) => b.usedAt - a.usedAt);
    let total = 0;
    for (const { path, usedAt, bytes } of kept) {
      total += bytes;
      const unused = Date.now() - usedAt;
      // A script may be using it.
      if (unused > keepFor || (total > maxBytes && unused > HOUR)) discard(folder, path);
    }
  }
}

/**
 * Identifies a list of packages for one platform, and for the registries that were chosen. Those of the machine are not
 * part of it: asking pip and npm for them takes a second, and scripts need the key for every run. They are compared when
 * packages are installed.
 */
export function packagesKey(
  declared: Pick<DeclaredPackages, "python" | "npm">,
  platform: string,
  registries: Partial<PackageRegistries>,
): string {
  const python = [...declared.python].sort();
  const npm = [...declared.npm].sort();
  return createHash("sha256")
    .update(JSON.stringify([1, python, npm, platform, placesOf(declared, registries)]))
    .digest("hex");
}

/** The places that the packages for pip and for npm come from; false if there are none. */
export type PackagePlaces = readonly [string | false, string | false];

export function placesOf(
  { python, npm }: Pick<DeclaredPackages, "python" | "npm">,
  { pythonIndex, npmRegistry }: Partial<PackageRegistries>,
): PackagePlaces {
  return [python.length > 0 && placeOf(pythonIndex), npm.length > 0 && placeOf(npmRegistry)];
}

/** Without a user and a password. */
function placeOf(registry: string | undefined): string {
  if (registry === undefined) return "";
  const { host, pathname } = new URL(registry);
  return host + pathname;
}

function defaultFolder(): string {
  const { SKILLSET_CACHE_HOME, XDG_CACHE_HOME } = process.env;
  const isAbsolutePath = (path: string | undefined): path is string => path !== undefined && isAbsolute(path);
  if (isAbsolutePath(SKILLSET_CACHE_HOME)) return join(SKILLSET_CACHE_HOME, "packages");
  if (isAbsolutePath(XDG_CACHE_HOME)) return join(XDG_CACHE_HOME, "skillset/packages");
  // The sandbox of root runs as another user, who cannot enter root's home.
  return process.getuid?.() === 0 ? "/var/cache/skillset/packages" : join(homedir(), ".cache/skillset/packages");
}

/** Root's can be entered by others, whatever the umask is: the sandbox runs as another user. */
function makeFolders(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (first === undefined || process.getuid?.() !== 0) return;
  for (let one = path; one.length >= first.length; one = dirname(one)) chmodSync(one, 0o711);
}

/** A folder of this user that nobody else can write to. */
function ownFolder(path: string): Stats | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isDirectory()) return undefined;
  if (process.getuid === undefined) return stats;
  return stats.uid === process.getuid() && (stats.mode & 0o022) === 0 ? stats : undefined;
}

/** If another process installed the same packages meanwhile, they are used. */
function rename(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOTEMPTY" && code !== "EEXIST" && code !== "EPERM") throw error;
    if (ownFolder(to) === undefined) throw error;
  }
}

/** Under another name first, so that nobody finds half of it. */
function discard(folder: string, path: string): void {
  try {
    const staging = makeOwnedFolder(folder, STAGING);
    renameSync(path, join(staging, "old"));
    removeOwnedFolder(staging);
  } catch {
    // Another process removed it.
  }
}

function bytesOf(path: string): number {
  const { bytes } = readInfo(path);
  return typeof bytes === "number" ? bytes : 0;
}

function isFrom(path: string, from: PackagePlaces): boolean {
  return JSON.stringify(readInfo(path).from) === JSON.stringify(from);
}

function readInfo(path: string): { readonly bytes?: unknown; readonly from?: unknown } {
  try {
    return JSON.parse(readFileSync(join(path, INFO), "utf8"));
  } catch {
    return {};
  }
}
