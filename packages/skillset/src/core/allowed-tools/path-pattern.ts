import { compileNameGlob } from "../text/name-glob.ts";
import { compileStars } from "../text/star-pattern.ts";
import { NOTHING, type SubjectTest } from "./subject-test.ts";

/** The folders that paths are relative to. Unknown ones keep paths below them apart from all others. */
export interface PathBases {
  /** The working folder of the tools, absolute. */
  readonly cwd?: string | undefined;
  /** The user's home, absolute. */
  readonly home?: string | undefined;
}

/** Where a path is: its root (`/`, `~` or `.`) and its names below that. */
type Place = readonly [root: string, ...names: string[]];

/**
 * Compiles a pattern over paths, similar to gitignore: `*` and `?` within a name, `**` for any number of folders. `src/a`,
 * `./src` and `/src` start at the working folder, `~/` at the home, `//` at the root of the file system. A pattern
 * without a slash matches at any depth. A pattern whose last name has no wildcard also matches everything below it.
 */
export function compilePath(pattern: string, bases: PathBases): SubjectTest {
  if (UNUSABLE.test(pattern) || pattern.split("/").includes("..")) return NOTHING;
  const isAnchored = /^~?\/|\/./.test(pattern);
  const given = pattern.startsWith("//") ? pattern.slice(1) : pattern.replace(/^\.?\//, "") || ".";
  const place = placeOf(given, bases);
  if (place === undefined) return NOTHING;
  const [root, ...names] = place;
  const base = placeOf(given.startsWith("/") ? "/" : given.startsWith("~/") ? "~/" : ".", bases)?.length ?? 1;
  const isFolder = pattern.endsWith("/");
  // Names of the bases are literal, even if they contain a star.
  const steps: Step[] = names.map((name, index) => (index + 1 < base ? (one) => one === name : toStep(name)));
  if (!isAnchored && names.length >= base) steps.splice(base - 1, 0, "**");
  const last = names.at(-1) ?? "";
  const coversBelow = isFolder || names.length < base || !/[*?]/.test(last);
  const certain = (path: string): boolean => {
    const [from, ...below] = placeOf(path, bases) ?? [];
    return from === root && matches(steps, below, { coversBelow, isFolder });
  };
  return { certain, possible: (path) => placeOf(path, bases)?.[0] !== root || certain(path) };
}

/** Control characters, and backslashes, which are separators on some systems only. */
const UNUSABLE = /[\x00-\x1f\x7f-\x9f\\]|^$/;

/** The longest path that Linux accepts. */
const LONGEST = 4096;

/** Normalizes a path. Returns undefined if it leaves a root that is not known, or is not usable. */
function placeOf(path: string, { cwd, home }: PathBases): Place | undefined {
  if (UNUSABLE.test(path) || path.length > LONGEST) return undefined;
  let root = ".";
  let full = path;
  if (path === "~" || path.startsWith("~/")) {
    root = home === undefined ? "~" : "/";
    full = `${home ?? ""}/${path.slice(1)}`;
  } else if (path.startsWith("~")) {
    return undefined;
  } else if (path.startsWith("/")) {
    root = "/";
  } else if (cwd !== undefined) {
    root = "/";
    full = `${cwd}/${path}`;
  }
  const names: string[] = [];
  for (const name of full.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined && root !== "/") return undefined;
  }
  return [root, ...names];
}

/** `**`, or a test for one name. */
type Step = "**" | ((name: string) => boolean);

function toStep(name: string): Step {
  if (name === "**") return "**";
  // Classes and braces are literal: frameworks use both in the names of files.
  return name.includes("?") && !/[[{]/.test(name) ? compileNameGlob(name) : compileStars(name);
}

interface Extent {
  /** Whether what is below a match also matches. */
  readonly coversBelow: boolean;
  /** Whether only what is below a match matches. */
  readonly isFolder: boolean;
}

/** Keeps the set of steps that are reached, so that many `**` take no more than names × steps. */
function matches(steps: readonly Step[], names: readonly string[], { coversBelow, isFolder }: Extent): boolean {
  let reached = advance(steps, new Set([0]));
  for (const name of names) {
    if (coversBelow && reached.has(steps.length)) return true;
    const next = new Set<number>();
    for (const at of reached) {
      const step = steps[at];
      // A trailing `**` matches everything inside a folder, but not the folder itself.
      if (step === "**") for (const to of at === steps.length - 1 ? [at, at + 1] : [at]) next.add(to);
      else if (step?.(name)) next.add(at + 1);
    }
    reached = advance(steps, next);
  }
  return reached.has(steps.length) && !isFolder;
}

/** `**` also matches no folder, except at the end. */
function advance(steps: readonly Step[], reached: Set<number>): Set<number> {
  for (const at of reached) if (steps[at] === "**" && at < steps.length - 1) reached.add(at + 1);
  return reached;
}
