import { lazyRegExp } from "../base/lazy-regexp.ts";
import { LIMITS } from "../base/limits.ts";
import { nearestWord } from "../text/nearest-word.ts";
import { parseRange, type VersionTest } from "../text/version-range.ts";
import { type ManifestReport, shorten } from "./manifest-report.ts";
import { isReservedVariable } from "./reserved-variables.ts";

/** What a skill requires of the machine, the host or the other skills. `name` is shown to people. */
export type Requirement =
  | { readonly kind: "command" | "env" | "skill"; readonly name: string }
  | { readonly kind: "os"; readonly name: string; readonly platforms: readonly string[] }
  | { readonly kind: "node" | "python"; readonly name: string; readonly accepts: VersionTest }
  | {
      readonly kind: "package";
      readonly name: string;
      readonly manager: "pip" | "npm";
      readonly range: string;
      readonly accepts: VersionTest | undefined;
    };

export type RequirementKind = Requirement["kind"];

/** A requirement that is not met, and how to meet it. */
export interface UnmetRequirement {
  readonly kind: RequirementKind;
  readonly name: string;
  readonly reason: string;
  readonly fix: string;
}

/** Returns the requirements in a skill's metadata. Malformed ones are left out: they are problems of the skill. */
export function readRequirements(metadata: Readonly<Record<string, string>>): readonly Requirement[] {
  return KEYS.flatMap((key) => {
    const text = metadata[key];
    return text === undefined ? [] : readField(key, text).requirements;
  });
}

/** Whether a skill's metadata has fields with requirements. */
export function hasRequirements(metadata: Readonly<Record<string, string>>): boolean {
  for (const key in metadata) if (isRequirementKey(key)) return true;
  return false;
}

/** Reports what is malformed in a field with requirements. */
export function checkRequirement(key: string, text: string, at: number, report: ManifestReport): void {
  if (!isRequirementKey(key)) return;
  for (const { message, fix } of readField(key, text).mistakes) report.add("requirement-invalid", message, { at, fix });
}

interface Field {
  readonly requirements: readonly Requirement[];
  readonly mistakes: readonly Mistake[];
}

interface Mistake {
  readonly message: string;
  readonly fix: string;
}

type Key = keyof typeof FIELDS;

/** Whether skillset reads a key of `metadata` as requirements. */
export function isRequirementKey(key: string): key is Key {
  return Object.hasOwn(FIELDS, key);
}

/** What each word of a field with requirements must be. */
export function expectedIn(key: Key): string {
  return FIELDS[key].expected;
}

/** Reads a word of each field. Returns undefined if it is malformed. */
const FIELDS = {
  requires: {
    read: (name) => (COMMAND.test(name) ? { kind: "command", name } : undefined),
    expected: "the name of a command",
    fix: "Write the names of commands without paths or arguments, such as 'git, pdftotext'.",
  },
  os: {
    read: (word) => {
      const system = SYSTEMS.find(({ words }) => words.includes(word.toLowerCase()));
      return system && { kind: "os", name: system.words[0] ?? "", platforms: [system.platform] };
    },
    expected: "a known system",
    fix: "Write one or more of 'linux', 'macos' and 'windows'.",
  },
  node: { ...versionOf("node"), isWhole: true },
  python: { ...versionOf("python"), isWhole: true },
  packages: {
    read: readPackage,
    expected: "a package",
    fix: "Write names such as 'pip:numpy' and 'npm:sharp', with one version at most: 'pip:numpy>=2'.",
  },
  env: {
    read: (name) => (VARIABLE.test(name) && !isReservedVariable(name) ? { kind: "env", name } : undefined),
    expected: "the name of an environment variable",
    fix: "Write the names of variables without values, such as 'GITHUB_TOKEN'.",
  },
  "requires-skills": {
    read: (name) => (SKILL().test(name) ? { kind: "skill", name } : undefined),
    expected: "the name of a skill",
    fix: "Write the names of skills, such as 'pdf-forms'.",
  },
} as const satisfies Record<string, FieldSpec>;

interface FieldSpec {
  readonly read: (word: string) => Requirement | undefined;
  readonly expected: string;
  readonly fix: string;
  /** The whole text is one value. */
  readonly isWhole?: boolean;
}

const KEYS = Object.keys(FIELDS) as readonly Key[];
/** Wider than the standard: skills with such names are loaded too. */
const SKILL = lazyRegExp("^[\\p{L}\\p{M}\\p{N}_.:-]{1,256}$");
const COMMAND = /^[A-Za-z0-9_][\w.+-]{0,63}$/;
const VARIABLE = /^[A-Za-z_]\w{0,127}$/;

/** The words for each platform of Node, the one that people are shown first. */
const SYSTEMS = [
  { platform: "linux", words: ["linux"] },
  { platform: "darwin", words: ["macos", "darwin", "mac", "osx"] },
  { platform: "win32", words: ["windows", "win32"] },
  ...["aix", "android", "freebsd", "netbsd", "openbsd", "sunos"].map((name) => ({ platform: name, words: [name] })),
];

/** The word for a platform of Node. */
export function systemName(platform: string): string {
  return SYSTEMS.find((system) => system.platform === platform)?.words[0] ?? platform;
}

function versionOf(kind: "node" | "python"): FieldSpec {
  return {
    read: (text) => {
      const accepts = parseRange(text);
      return accepts && { kind, name: text.trim(), accepts };
    },
    expected: "a range of versions",
    fix: kind === "node" ? "Write a range such as '>=22'." : "Write a range such as '>=3.10,<4'.",
  };
}

function readPackage(word: string): Requirement | undefined {
  const [, manager = "pip", name = "", range = ""] = /^(?:(pip|npm):)?(@?[^<>=!~^]+)([<>=!~^].*)?$/.exec(word) ?? [];
  if (manager !== "pip" && manager !== "npm") return undefined;
  if (name.length > LONGEST_PACKAGE || !PACKAGE[manager].test(name)) return undefined;
  const accepts = range === "" ? undefined : parseRange(range);
  if (range !== "" && accepts === undefined) return undefined;
  return { kind: "package", name, manager, range, accepts };
}

const LONGEST_PACKAGE = 128;
/** No name contains `..` or starts with a dot, because it becomes part of a path. */
const PACKAGE = {
  pip: /^[A-Za-z0-9](?:[A-Za-z0-9]|[-_.](?=[A-Za-z0-9]))*$/,
  npm: /^(?:@[a-z0-9~-](?:[a-z0-9_~-]|\.(?!\.))*\/)?[A-Za-z0-9~-](?:[A-Za-z0-9_~-]|\.(?!\.))*$/,
} as const;

function readField(key: Key, text: string): Field {
  const spec: FieldSpec = FIELDS[key];
  const words = split(text, spec.isWhole === true);
  if (words === undefined) {
    return { requirements: [], mistakes: [{ message: `'${key}' must be ${spec.expected}, as text.`, fix: spec.fix }] };
  }
  const requirements: Requirement[] = [];
  const mistakes: Mistake[] = [];
  for (const word of words.slice(0, LIMITS.hard.requirements)) {
    const requirement = spec.read(word);
    if (requirement !== undefined) requirements.push(requirement);
    else if (key === "env" && isReservedVariable(word)) mistakes.push(reserved(word));
    else
      mistakes.push({ message: `'${key}': '${shorten(word)}' is not ${spec.expected}.`, fix: fixFor(key, word, spec) });
  }
  if (words.length > LIMITS.hard.requirements) {
    const message = `'${key}' has ${words.length} items. Only the first ${LIMITS.hard.requirements} are checked.`;
    mistakes.push({ message, fix: "Keep the most important ones." });
  }
  return { requirements: key === "os" ? anyOf(requirements) : requirements, mistakes };
}

function reserved(word: string): Mistake {
  const message = `'env': '${shorten(word)}' cannot be required, because it changes how programs start.`;
  return { message, fix: "Write another name, such as 'PDF_TOOL_HOME'." };
}

function fixFor(key: Key, word: string, { fix }: FieldSpec): string {
  const near = key === "os" ? nearestWord(word.slice(0, LIMITS.shown.nameCharacters), OFFERED) : undefined;
  return near === undefined ? fix : `Write '${near}'.`;
}

const OFFERED = ["linux", "macos", "windows"];

/** One of several systems is enough. */
function anyOf(systems: readonly Requirement[]): readonly Requirement[] {
  const platforms = systems.flatMap((one) => (one.kind === "os" ? one.platforms : []));
  const name = systems.map((one) => one.name).join(" or ");
  return platforms.length === 0 ? [] : [{ kind: "os", name, platforms }];
}

/** Splits at commas and spaces. The parser of metadata has turned a list into JSON, which is accepted too. */
function split(text: string, isWhole: boolean): readonly string[] | undefined {
  const trimmed = text.trim();
  if (/^(?:|~|null|\[\]|\{\})$/i.test(trimmed)) return [];
  if (!/^[[{]/.test(trimmed)) return isWhole ? [trimmed] : trimmed.split(/[\s,]+/).filter(Boolean);
  const items = parseItems(trimmed);
  return items && isWhole ? [items.join(",")] : items;
}

function parseItems(text: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value) || value.some((item) => typeof item === "object")) return undefined;
    return value.map((item) => String(item).trim()).filter(Boolean);
  } catch {
    return undefined;
  }
}
