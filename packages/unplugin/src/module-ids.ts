import { existsSync } from "node:fs";
import { dirname, isAbsolute, resolve } from "node:path";

/**
 * The ids of our modules are paths that do not exist and end in `.js`: bundlers find packages from their folder, and
 * plugins for Markdown, CSS or JSON leave them alone.
 */
const SKILLS_SUFFIX = ".skillset.js";
const FILE_SUFFIX = ".skillset-file.js";
const QUERY = "?skillset";

/** The import paths that the plugin resolves: of skills, and of the package that our modules import. */
export const RESOLVED = /(?:^skillset|[/\\]SKILL\.md|\?skillset|\.skillset(?:-file)?\.js)$/;

/** The modules that the plugin loads. A SKILL.md itself is one if an alias of the bundler led to it. */
export const LOADED = /(?:[/\\]SKILL\.md|\.skillset(?:-file)?\.js)$/;

/** The package that our modules import. */
export const LIBRARY = /^skillset$/;

/** What a module contains: the skills at a path, or one of their files. */
export type ModuleContent = { readonly kind: "skills" | "file"; readonly path: string };

/** Returns the id for an import of skills, if it can be found without the bundler. */
export function resolveSkills(specifier: string, importer: string | undefined, root: string): string | undefined {
  const path = toSlashes(withoutQuerySuffix(specifier));
  if (isAbsolute(path)) return skillsId(fromRoot(path, toSlashes(root)));
  if (!/^\.\.?(?:\/|$)/.test(path) || importer === undefined) return undefined;
  return skillsId(toSlashes(resolve(dirname(withoutQuery(importer)), path)));
}

/** In Vite, a path that starts with a slash may start at the project's root. */
function fromRoot(path: string, root: string): string {
  return !existsSync(path) && existsSync(root + path) ? root + path : path;
}

export function isOurs(id: string): boolean {
  return id.endsWith(SKILLS_SUFFIX) || id.endsWith(FILE_SUFFIX);
}

/** Whether a module that the plugin loads imports something. */
export function isFromOurs(importer: string | undefined): boolean {
  return importer !== undefined && LOADED.test(withoutQuery(importer));
}

export function skillsId(path: string): string {
  return path + SKILLS_SUFFIX;
}

/**
 * Returns the id of a file, by its absolute path. Bundlers name chunks after its name, so that has no unusual
 * characters. In its folders, letters, digits and spaces stay. Anything else might have a meaning to some bundler: to
 * webpack, what precedes a `!` is a loader, which it runs.
 */
export function fileId(path: string): string {
  const encode = (character: string): string => `~${character.codePointAt(0)?.toString(16)}~`;
  const [, drive = "", folder = "", name = ""] = /^([A-Za-z]:)?(.*\/)?(.*)$/s.exec(toSlashes(path)) ?? [];
  return drive + folder.replace(/[^\w./ \p{L}\p{N}-]/gu, encode) + name.replace(/[^\w.-]/gu, encode) + FILE_SUFFIX;
}

function decodePath(path: string): string {
  return path.replace(/~([0-9a-f]+)~/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}

export function contentOf(id: string): ModuleContent {
  // Folders may contain a question mark, and bundlers may add a query.
  const [, path = withoutQuery(id), suffix] = /^(.*)(\.skillset(?:-file)?\.js)(?:\?.*)?$/s.exec(id) ?? [];
  if (suffix === FILE_SUFFIX) return { kind: "file", path: decodePath(toSlashes(path)) };
  return { kind: "skills", path: toSlashes(path) };
}

/** Whether a path is one SKILL.md, and not a folder of skills. */
export function isSkillMd(path: string): boolean {
  return path.endsWith("/SKILL.md");
}

export function hasQuery(specifier: string): boolean {
  return specifier.endsWith(QUERY);
}

export function withoutQuerySuffix(specifier: string): string {
  return hasQuery(specifier) ? specifier.slice(0, -QUERY.length) : specifier;
}

export function toSlashes(path: string): string {
  return path.replaceAll("\\", "/");
}

function withoutQuery(id: string): string {
  return id.replace(/\?[\s\S]*$/, "");
}
