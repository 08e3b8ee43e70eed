import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";

/** One import of a module in another folder. */
export interface FolderImport {
  readonly file: string;
  /** The imported module. */
  readonly target: string;
  readonly from: string;
  readonly to: string;
}

/** Folders that import from each other, and the imports between them. */
export interface FolderCycle {
  readonly folders: readonly string[];
  readonly imports: readonly FolderImport[];
}

export interface ReadOptions {
  /**
   * The repository.
   * @default the working folder
   */
  readonly cwd?: string;
  /** The modules of our packages, by import path. */
  readonly entries?: ReadonlyMap<string, string>;
}

/** Returns every import from one folder into another below these folders. Includes imports of types, but no tests. */
export function readImports(folders: readonly string[], { cwd = ".", entries }: ReadOptions = {}): FolderImport[] {
  const isInside = (folder: string): boolean => folders.some((one) => `${folder}/`.startsWith(`${one}/`));
  return folders
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd }))
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .sort()
    .flatMap((file) => {
      const from = posix.dirname(file);
      return specifiersIn(readFileSync(posix.join(cwd, file), "utf8"))
        .map((specifier) => (specifier.startsWith(".") ? posix.join(from, specifier) : entries?.get(specifier)))
        .filter((target) => target !== undefined)
        .map((target) => ({ file, target, from, to: posix.dirname(target) }))
        .filter(({ to }) => to !== from && isInside(to));
    });
}

/** Static and dynamic imports and exports, of values and of types. Examples in doc comments do not count. */
function specifiersIn(source: string): string[] {
  const found = withoutDocComments(source).matchAll(/(?:^import|\bfrom|\bimport\()\s*"([^"]+)"/gm);
  return [...found].map(([, specifier]) => specifier as string);
}

/** Removes doc comments, because their examples contain imports. */
export function withoutDocComments(source: string): string {
  return source.replaceAll(/^\s*\/\*\*[\s\S]*?\*\//gm, "");
}

/** Tarjan's algorithm: each cycle contains all folders that can reach each other. */
export function findCycles(imports: readonly FolderImport[]): FolderCycle[] {
  const targets = Map.groupBy(imports, ({ from }) => from);
  const index = new Map<string, number>();
  const stack: string[] = [];
  const cycles: FolderCycle[] = [];
  const visit = (folder: string): number => {
    const own = index.size;
    index.set(folder, own);
    stack.push(folder);
    let low = own;
    for (const { to } of targets.get(folder) ?? []) {
      if (!index.has(to)) low = Math.min(low, visit(to));
      else if (stack.includes(to)) low = Math.min(low, index.get(to) ?? low);
    }
    if (low < own) return low;
    const folders = stack.splice(stack.indexOf(folder)).sort();
    const isIn = ({ from, to }: FolderImport): boolean => folders.includes(from) && folders.includes(to);
    if (folders.length > 1) cycles.push({ folders, imports: imports.filter(isIn) });
    return low;
  };
  for (const folder of targets.keys()) if (!index.has(folder)) visit(folder);
  return cycles;
}
