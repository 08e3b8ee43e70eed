import { LIMITS } from "../base/limits.ts";
import { nearestWord } from "../text/nearest-word.ts";
import type { Manifest } from "./manifest.ts";
import { expectedIn, isRequirementKey } from "./requirements.ts";
import type { YamlNode } from "./yaml-node.ts";

/** Fields that lose their effect in some program if they are moved: a skill must not lose a protection that way. */
const CLIENT_FIELDS = [
  "agent",
  "argument-hint",
  "arguments",
  "background",
  "context",
  "disable-model-invocation",
  "disallowed-tools",
  "effort",
  "hooks",
  "model",
  "paths",
  "shell",
  "user-invocable",
  "when_to_use",
];

/** The key of each field of a manifest that the standard does not have. */
const OWN_KEYS: { readonly [Field in Exclude<keyof Manifest, StandardField | "allowedTools" | "extra">]-?: string } = {
  modelInvocable: "disable-model-invocation",
  userInvocable: "user-invocable",
  argumentNames: "arguments",
  argumentHint: "argument-hint",
  triggers: "triggers",
  toolsets: "toolsets",
};

/** Fields outside the standard that the library reads, or that popular agents support. They cause no warning. */
export const FAMILIAR_FIELDS: ReadonlySet<string> = new Set([
  ...CLIENT_FIELDS,
  ...Object.values(OWN_KEYS),
  "author",
  "tags",
  "version",
]);

/** Whether the frontmatter has a field. */
type IsSet = (field: string) => boolean;

/** Returns the fix for a field outside the standard, which may be a misspelled one. */
export function placeFor(key: string, value: YamlNode, isSet: IsSet): string {
  const meant = FAMILIAR_FIELDS.has(key) ? undefined : meantBy(key.slice(0, LIMITS.shown.nameCharacters), isSet);
  if (meant !== undefined) return `Rename it to '${meant}'.`;
  const own = OWN_PLACE.get(key);
  if (own !== undefined) return own;
  if (isRequirementKey(key)) return `Remove it, or keep it there: under 'metadata' it would be ${expectedIn(key)}.`;
  const move = `${FAMILIAR_FIELDS.has(key) ? "Put" : "Leave it if an agent reads it, or put"} it under 'metadata'`;
  return value.kind === "scalar" ? `${move}.` : `${move}, as one string.`;
}

function meantBy(key: string, isSet: IsSet): string | undefined {
  let fields = FIELDS_LIKE.get(key);
  if (fields === undefined) {
    fields = fieldsLike(key);
    if (FIELDS_LIKE.size === MOST_KEYS) FIELDS_LIKE.clear();
    FIELDS_LIKE.set(key, fields);
  }
  return fields.find((field) => !isSet(field));
}

/** Computing edit distances is slow, and two skills in five have a field outside the standard, mostly the same few. */
const FIELDS_LIKE = new Map<string, readonly string[]>();
const MOST_KEYS = 200;

/** Returns the fields that a key may be a misspelling of, the most likely first. */
function fieldsLike(key: string): readonly string[] {
  const word = key.toLowerCase();
  const near = STANDARD_FIELDS.filter((field) => field[0] === word[0] && nearestWord(word, [field]) !== undefined);
  const familiar = familiarLike(key);
  return familiar === undefined ? near : [...near, familiar];
}

/**
 * Returns the field that agents support and that was meant, such as 'user-invocable' for `userInvocable`. Each word must
 * be close: 'disable-user-invocation' is no misspelling of 'disable-model-invocation'. A single word only differs in
 * its case, because `mode` is a field of other agents, and not 'model'.
 */
function familiarLike(key: string): string | undefined {
  const written = wordsOf(key);
  return RENAMED.find(({ words }) => {
    if (words.length !== written.length) return false;
    return words.every((word, at) => (words.length === 1 ? word === written[at] : isNear(written[at] ?? "", word)));
  })?.field;
}

function isNear(written: string, word: string): boolean {
  return written === word || (written[0] === word[0] && nearestWord(written, [word]) !== undefined);
}

function wordsOf(field: string): readonly string[] {
  return field
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[-_ ]/);
}

const RENAMED = [...new Set([...CLIENT_FIELDS, ...Object.values(OWN_KEYS)])].map((field) => ({
  field,
  words: wordsOf(field),
}));

const LEAVE_IT = "Leave it if the skill is for Claude Code, which reads it only here.";

/** What to do about a field that has its own place. */
const OWN_PLACE: ReadonlyMap<string, string> = new Map([
  ...Object.values(OWN_KEYS).map((key) => [key, "Leave it: skillset reads it here."] as const),
  ...CLIENT_FIELDS.map((key) => [key, LEAVE_IT] as const),
  [
    "triggers",
    "Leave it, or write 'trigger-keywords', 'trigger-verbs' and 'trigger-patterns' under 'metadata', each as one string with commas.",
  ],
  ["toolsets", "Leave it, or write it under 'metadata', as one string."],
]);

/** The standard's fields, and what each contains. */
const STANDARD = {
  name: "text",
  description: "text",
  license: "text",
  compatibility: "text",
  metadata: "mapping",
  "allowed-tools": "list",
} as const satisfies Readonly<Record<string, "text" | "mapping" | "list">>;

export type StandardField = keyof typeof STANDARD;
export const STANDARD_FIELDS = Object.keys(STANDARD) as readonly StandardField[];

export function isStandardField(key: string): key is StandardField {
  return Object.hasOwn(STANDARD, key);
}

/** Whether a field is a string even if it starts with a bracket. */
export function isTextField(key: string): boolean {
  return isStandardField(key) && STANDARD[key] === "text";
}
