import type { RefusedPackage } from "../../core/script/packages.ts";

/** Requirements in the form that pip gets, and lines that are refused. */
export interface ParsedPackages {
  readonly packages: readonly string[];
  readonly refused: readonly RefusedPackage[];
}

/** Of one skill. */
export const MOST_PACKAGES = 200;

/**
 * Parses a `requirements.txt`. Only names with extras, versions, markers and hashes are accepted: options, addresses and
 * paths could install anything from anywhere. pip never gets the file itself, only what is returned here.
 */
export function parseRequirements(text: string, file: string): ParsedPackages {
  const packages: string[] = [];
  const refused: RefusedPackage[] = [];
  for (const { text: joined, line } of joinLines(text)) {
    const requirement = withoutComment(joined).trim();
    if (requirement === "") continue;
    const parsed = parseRequirement(requirement);
    if (parsed.text === undefined) refused.push({ file, line, message: parsed.reason });
    else packages.push(parsed.text);
  }
  return { packages, refused };
}

/** Returns a requirement with uniform spaces, or why it is refused. */
export function parseRequirement(given: string): { text: string } | { text?: undefined; reason: string } {
  const refuse = (why: string): { reason: string } => ({ reason: `${why}: ${shown(given)}. ${WRITE}` });
  if (given.length > LONGEST) return refuse("a requirement is too long");
  // Control characters, and letters that look like others.
  if (/[^\x20-\x7e\t]/.test(given)) return refuse("a requirement has characters other than plain ASCII");
  if (given.startsWith("-")) return refuse("options are not allowed");
  if (given.includes("$")) return refuse("variables are not allowed");
  if (/:\/\/|\s@|@\s|^[\w.[\],-]+@/.test(given)) return refuse("addresses are not allowed");
  if (/^[./~\\]|[/\\]/.test(given)) return refuse("paths are not allowed");
  const plain = given.replaceAll("\t", " ");
  const end = plain.search(/ --hash=/);
  const [, hashes] = HASHES.exec(end === -1 ? "" : plain.slice(end)) ?? [];
  const [required = "", marker, ...others] = (end === -1 ? plain : plain.slice(0, end)).split(";");
  const match = REQUIREMENT.exec(required);
  if (match?.groups === undefined || hashes === undefined || others.length > 0) return refuse("not a requirement");
  const { name = "", extras = "", versions = "" } = match.groups;
  if (/\.(?:whl|zip|tar|gz|tgz|bz2|xz)$/i.test(name)) return refuse("files are not allowed");
  if (marker !== undefined && !isMarker(marker)) return refuse("the part after ';' is not a marker");
  const specifier = name + extras.replaceAll(" ", "") + versions.replace(/[() ]/g, "");
  const condition = marker === undefined ? "" : ` ; ${marker.trim()}`;
  return { text: `${specifier}${condition}${hashes.replace(/ +/g, " ").trimEnd()}` };
}

const WRITE = "Write a name with versions, such as 'requests>=2.31'";

const LONGEST = 2_000;

const NAME = "[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?";
const VERSION = "(?:===?|!=|~=|<=?|>=?) *[A-Za-z0-9](?:[A-Za-z0-9.*+!_-]{0,60})";
const VERSIONS = `${VERSION}(?: *, *${VERSION}){0,20}`;
const REQUIREMENT = new RegExp(
  `^(?<name>${NAME})(?<extras> *\\[ *${NAME}(?: *, *${NAME}){0,20} *\\])?(?<versions> *(?:${VERSIONS}|\\( *${VERSIONS} *\\)))? *$`,
);

const HASHES = /^((?: +--hash=(?:sha256:[0-9a-f]{64}|sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128})){0,20}) *$/;

const MARKER_TOKEN =
  /^ *(?:python_version|python_full_version|os_name|sys_platform|platform_(?:release|system|machine|version|python_implementation)|implementation_(?:name|version)|extra|and\b|or\b|not +in\b|in\b|===?|!=|~=|<=?|>=?|[()]|'[A-Za-z0-9 ._+-]*'|"[A-Za-z0-9 ._+-]*")/;

function isMarker(text: string): boolean {
  let rest = text.trim();
  if (rest === "") return false;
  while (rest !== "") {
    const token = MARKER_TOKEN.exec(rest)?.[0];
    if (token === undefined) return false;
    rest = rest.slice(token.length).trimStart();
  }
  return true;
}

/** Joins lines that end with a backslash, as pip does, with the number of the first one. */
function* joinLines(text: string): Generator<{ readonly text: string; readonly line: number }> {
  let pending: { text: string; line: number } | undefined;
  for (const [index, one] of text.split(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/).entries()) {
    const line = pending?.line ?? index + 1;
    const whole = (pending?.text ?? "") + one;
    // For pip, a comment ends with its line, even if that ends with a backslash.
    pending = one.endsWith("\\") && !/^\s*#/.test(one) ? { text: whole.slice(0, -1), line } : undefined;
    if (pending === undefined) yield { text: whole, line };
  }
  if (pending !== undefined) yield pending;
}

function withoutComment(line: string): string {
  return line.replace(/(?:^|[ \t])#[\s\S]*$/, "");
}

/** For a message: short, and without characters that change how it is displayed. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text).replace(
    /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu,
    (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
