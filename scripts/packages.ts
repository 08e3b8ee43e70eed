import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface Package {
  /** Relative to the repository, such as `packages/skillset`. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** The import path of an entry point, and its module in `src`. */
export interface EntryPoint {
  readonly specifier: string;
  readonly source: string;
  /** Whether there is a second build, in `dist/web`, for programs without Node. */
  readonly isWeb: boolean;
  /** The module for programs without Node that only says that the entry point needs it, relative to the package. */
  readonly refusal?: string;
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}

/** Returns the packages of the workspace, each after those that it depends on. */
export function listPackages(root = "."): readonly Package[] {
  const found = globSync("packages/*/package.json", { cwd: root })
    .map((file) => dirname(file))
    .sort()
    .map((folder): Package => ({ folder, manifest: readManifest(join(root, folder)) }));
  const sorted = new Set<Package>();
  const add = (one: Package): void => {
    for (const other of found) if (other !== one && other.manifest.name in dependenciesOf(one.manifest)) add(other);
    sorted.add(one);
  };
  for (const one of found) add(one);
  return [...sorted];
}

/** Returns the installed and peer dependencies of a package. */
export function dependenciesOf(manifest: Manifest): Readonly<Record<string, string>> {
  return { ...manifest.peerDependencies, ...manifest.optionalDependencies, ...manifest.dependencies };
}

/** `exports` is the only list of entry points. */
export function entryPoints({ name, exports = {} }: Manifest): readonly EntryPoint[] {
  return Object.entries(exports).flatMap(([subpath, target]) => {
    const { default: other = "", node = other } = typeof target === "string" ? { default: target } : target;
    const [, path] = /^\.\/dist\/(.+)\.js$/.exec(node) ?? [];
    if (path === undefined) return [];
    const isRefused = other.startsWith("./dist/needs-node/");
    return [
      {
        specifier: subpath.replace(".", name),
        source: `src/${path}.ts`,
        isWeb: node !== other && !isRefused,
        ...(isRefused && { refusal: other }),
      },
    ];
  });
}
