import { LIMITS } from "../base/limits.ts";
import { normaliseRelative } from "../text/relative-path.ts";
import { type ManifestReport, shorten } from "./manifest-report.ts";
import { itemsOf } from "./triggers.ts";
import { isNull, type YamlEntry, type YamlNode } from "./yaml-node.ts";

/** One item of `toolsets`: a module of the skill, with or without its extension, and the name of its export. */
export interface ToolsetName {
  readonly path: string;
  readonly export: string;
}

/** Returns the toolsets of a frontmatter: `toolsets`, and `toolsets` under `metadata`. Reports what cannot be one. */
export function checkToolsets(
  toolsets: YamlEntry | undefined,
  metadata: YamlEntry | undefined,
  report: ManifestReport,
): readonly string[] | undefined {
  const listed = metadata?.value.kind === "mapping" ? metadata.value.entries.find(isToolsets) : undefined;
  if (toolsets === undefined && listed === undefined) return undefined;
  const given = [toolsets, listed].flatMap((entry) => itemsIn(entry?.value));
  if (given.length === 0) return undefined;
  const found = new Set<string>();
  for (const { text = "", at } of given) {
    const item = text.trim();
    if (parseToolset(item) !== undefined) found.add(item);
    else report.add("toolsets-invalid", `'${shorten(item)}' is not a toolset.`, { at, fix: FIX });
  }
  const most = LIMITS.hard.toolsets;
  if (found.size > most) {
    const message = `There are ${found.size} toolsets. Only the first ${most} are used.`;
    report.add("toolsets-invalid", message, { at: given[0]?.at, fix: "Put several tools into one toolset." });
  }
  return found.size === 0 ? undefined : Object.freeze([...found].slice(0, most));
}

function isToolsets({ key }: YamlEntry): boolean {
  return key === "toolsets";
}

/** Splits `toolsets/index:MyToolset`. Undefined if it is malformed or leaves the skill. */
export function parseToolset(text: string): ToolsetName | undefined {
  const [, path, name] = /^([^:\s]{1,200}):([A-Za-z_$][\w$]{0,99})$/.exec(text) ?? [];
  if (path === undefined || name === undefined) return undefined;
  try {
    return { path: normaliseRelative(path), export: name };
  } catch {
    return undefined;
  }
}

/** Returns the paths that a toolset's module may have in the skill. */
export function modulePaths({ path }: ToolsetName): readonly string[] {
  return EXTENSIONS.some((extension) => path.endsWith(extension))
    ? [path]
    : EXTENSIONS.map((extension) => `${path}${extension}`);
}

/** JavaScript and TypeScript modules, in order of preference. */
const EXTENSIONS: readonly string[] = [".ts", ".mts", ".js", ".mjs"];

const FIX = "Write a module of the skill and the name of its export, such as 'toolsets/index:MyToolset'.";

function itemsIn(value: YamlNode | undefined) {
  return value === undefined || (value.kind === "scalar" && isNull(value)) ? [] : itemsOf(value);
}
