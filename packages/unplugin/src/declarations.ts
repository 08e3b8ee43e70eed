import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { withFileLock } from "skillset/node";
import { isSkillMd, toSlashes } from "./module-ids.ts";

/**
 * Writes the types of compiled skills: their names become literals. A build may see only some of the imports, so the
 * declarations of other imports are kept while their folders exist.
 */
export class Declarations {
  readonly #root: string;
  readonly #file: string | undefined;

  constructor(root: string, types: string | false | undefined) {
    this.#root = root;
    const isWanted = types !== false && (types !== undefined || existsSync(resolve(root, "tsconfig.json")));
    this.#file = isWanted ? resolve(root, types ?? "skillset-env.d.ts") : undefined;
  }

  /**
   * Adds or replaces the skills of a path. Writes only if the file changes. Throws if the file is not the plugin's, or if
   * another process keeps its lock for ten seconds.
   */
  set(path: string, names: readonly string[]): void {
    const file = this.#file;
    if (file === undefined || this.#change(file, path, names) === undefined) return;
    // Bundlers run loaders in several processes. Each one must see what the others wrote.
    const lock = `${file}.lock`;
    const done = withFileLock(lock, () => {
      const next = this.#change(file, path, names);
      if (next !== undefined) replaceFile(file, next);
    });
    if (done === undefined)
      throw new Error(`Another process is writing '${file}'. If none is running, remove '${lock}' and build again.`);
  }

  /** Returns the new text of the file, or undefined if it stays the same. */
  #change(file: string, path: string, names: readonly string[]): string | undefined {
    const text = readOwn(file);
    const entries = new Map([...readEntries(text)].filter(([known]) => existsSync(resolve(this.#root, known))));
    entries.set(this.#relative(path), names);
    const next = write(entries);
    return next === text ? undefined : next;
  }

  #relative(path: string): string {
    const place = toSlashes(relative(this.#root, path));
    return place.startsWith("../") ? place : `./${place}`;
  }
}

function readOwn(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, "utf8");
  if (text.startsWith(FIRST_LINE)) return text;
  throw new Error(
    `'${file}' was not written by @skillset/unplugin. Name another file with the option 'types', or remove this one.`,
  );
}

/** Renames a complete file, so that other builds and editors never read half of it. */
function replaceFile(file: string, text: string): void {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

type Entries = ReadonlyMap<string, readonly string[]>;

/** Each declaration has a comment with its path and names, from which the file can be written again. */
const ENTRY = /^\/\/ ("(?:[^"\\]|\\.)*"): (\[.*\])$/gm;

function readEntries(text = ""): [string, readonly string[]][] {
  return [...text.matchAll(ENTRY)].flatMap(([, path = '""', names = "[]"]) => {
    try {
      return [[JSON.parse(path), JSON.parse(names)]];
    } catch {
      // The line was edited, or is what a merge left. The next build of its import writes it again.
      return [];
    }
  });
}

function write(entries: Entries): string {
  const paths = [...entries.keys()].sort();
  const declared = paths.flatMap((path) => {
    const names = entries.get(path) ?? [];
    const tail = uniqueTail(path, paths);
    const comment = `// ${JSON.stringify(path)}: ${JSON.stringify(names)}`;
    return [[comment, ...(tail === undefined ? [] : declare(tail, path, names))].join("\n")];
  });
  return `${[HEAD, ...declared, OTHERS].join("\n\n")}\n`;
}

/** TypeScript has no declarations for relative paths, so the shortest end of the path that no other path has is used. */
function uniqueTail(path: string, paths: readonly string[]): string | undefined {
  const parts = path.split("/").filter((part) => part !== "." && part !== "..");
  // The name of a file alone, such as SKILL.md or README.md, says little.
  const least = parts.at(-1)?.includes(".") ? 2 : 1;
  for (let count = least; count <= parts.length; count++) {
    const tail = `/${parts.slice(-count).join("/")}`;
    if (paths.filter((other) => other.endsWith(tail)).length === 1) return tail;
  }
  return undefined;
}

function declare(tail: string, path: string, names: readonly string[]): string[] {
  if (!isSkillMd(path))
    return [
      declareModule(`*${tail}?skillset`, folderBody(`[${names.map((name) => JSON.stringify(name)).join(", ")}]`)),
    ];
  const body = skillBody(names.map((name) => JSON.stringify(name)).join(" | ") || "never");
  return [`*${tail}`, `*${tail}?skillset`].map((pattern) => declareModule(pattern, body));
}

function declareModule(pattern: string, body: readonly string[]): string {
  return [`declare module ${JSON.stringify(pattern)} {`, ...body.map((line) => `  ${line}`), "}"].join("\n");
}

function folderBody(names: string): string[] {
  return [
    `export const names: readonly ${names};`,
    'const skills: readonly (import("skillset").Skill & { readonly name: (typeof names)[number] })[];',
    "export default skills;",
  ];
}

function skillBody(name: string): string[] {
  return [`const skill: import("skillset").Skill & { readonly name: ${name} };`, "export default skill;"];
}

const FIRST_LINE = "// Written by @skillset/unplugin: the types of skills that are compiled in. Commit this file.";
const HEAD = [
  FIRST_LINE,
  "// biome-ignore-all format: written by a program",
  "// biome-ignore-all lint: written by a program",
  "/* eslint-disable */",
].join("\n");
/** After the others, because TypeScript uses the first of several patterns. */
const OTHERS = [
  declareModule("*/SKILL.md", skillBody("string")),
  declareModule("*/SKILL.md?skillset", skillBody("string")),
  declareModule("*?skillset", folderBody("string[]")),
].join("\n");
