import { execFile } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { parse } from "node:path";
import { LIMITS } from "../../core/base/limits.ts";
import { parseVersion, type Version } from "../../core/text/version.ts";

/** A Python on this machine, and the folders with its modules. */
export interface Python {
  readonly version: Version;
  readonly folders: readonly string[];
}

export interface InstalledPackage {
  /** Empty if unknown. */
  readonly version: string;
}

/** Asks a Python for its version and folders, once per process while the program's file stays the same. */
export async function inspectPython(program: string): Promise<Python | string> {
  const stamp = await stampOf(program);
  const known = INSPECTED.get(program);
  if (known !== undefined && known.stamp === stamp) return known.python;
  const python = run(program);
  INSPECTED.set(program, { stamp, python });
  return python;
}

const INSPECTED = new Map<string, { readonly stamp: string; readonly python: Promise<Python | string> }>();

/** A fixed program. `-I` keeps Python from importing modules of the working directory or of variables. */
const PROGRAM = `
import json, site, sys
folders = [folder for folder in sys.path if folder]
if sys.prefix == sys.base_prefix:
    folders.append(site.getusersitepackages())
print(json.dumps(["%d.%d.%d" % sys.version_info[:3], folders]))
`;

function run(program: string): Promise<Python | string> {
  const { versionTime } = LIMITS.requirements;
  const options = { maxBuffer: 1024 * 1024, cwd: parse(program).root };
  return new Promise((resolve) => {
    const child = execFile(program, ["-I", "-c", PROGRAM], options, (error, stdout) => {
      clearTimeout(timer);
      resolve((error ? undefined : parseAnswer(stdout)) ?? "python3 cannot be run");
    });
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      // A program that python3 started may keep the pipe open.
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve(`python3 did not answer within ${versionTime / 1000} seconds`);
    }, versionTime);
  });
}

function parseAnswer(text: string): Python | undefined {
  try {
    const [words, folders] = JSON.parse(text) as [string, string[]];
    const version = parseVersion(words);
    return version && { version, folders };
  } catch {
    return undefined;
  }
}

/** Finds a package by its name on PyPI, or a module by the name under which it is imported. */
export async function findPythonPackage(
  name: string,
  folders: readonly string[],
): Promise<InstalledPackage | undefined> {
  const wanted = normalise(name);
  const found = await Promise.all(folders.map(async (folder) => (await readPackages(folder)).get(wanted)));
  const known = found.filter((version) => version !== undefined);
  const version = known.find((one) => one !== "") ?? known[0];
  return version === undefined ? undefined : { version };
}

/** Reads a folder again only if it changed. */
async function readPackages(folder: string): Promise<ReadonlyMap<string, string>> {
  const stamp = await stampOf(folder);
  const known = LISTED.get(folder);
  if (known !== undefined && known.stamp === stamp) return known.packages;
  const packages = stamp === "" ? Promise.resolve(new Map<string, string>()) : list(folder);
  LISTED.set(folder, { stamp, packages });
  return packages;
}

const LISTED = new Map<string, { readonly stamp: string; readonly packages: Promise<ReadonlyMap<string, string>> }>();

async function list(folder: string): Promise<ReadonlyMap<string, string>> {
  const packages = new Map<string, string>();
  for (const entry of await readdir(folder).catch(() => [])) {
    const [, name, version] = /^([^-]+)-([^-]+)(?:-.*)?\.(?:dist|egg)-info$/.exec(entry) ?? [];
    if (name !== undefined && version !== undefined) {
      packages.set(normalise(name), /^\d+(?:\.\d+){0,2}/.exec(version)?.[0] ?? "");
      continue;
    }
    // `yaml/`, `six.py` and `_cffi.abi3.so` are modules.
    const module = normalise(/^\w+(?=$|\.(?:py$|.*so$|.*pyd$))/.exec(entry)?.[0] ?? "");
    if (module !== "" && !packages.has(module)) packages.set(module, "");
  }
  return packages;
}

/** Names that differ in case, or in `-`, `_` and `.`, are the same package. */
export function normalise(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, "-");
}

/** Empty if the path does not exist. */
async function stampOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeMs, ctimeMs } = await stat(path);
    return `${ino}:${size}:${mtimeMs}:${ctimeMs}`;
  } catch {
    return "";
  }
}
