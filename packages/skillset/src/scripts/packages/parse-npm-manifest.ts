import { MOST_PACKAGES, type ParsedPackages, shown } from "./parse-requirements.ts";

/**
 * Parses a `package.json`. Only `dependencies` with versions of the registry are accepted. npm never gets the file itself.
 * Scripts, `devDependencies` and lockfiles are ignored.
 */
export function parseNpmManifest(text: string, file: string): ParsedPackages {
  const refuse = (message: string, at?: string): ParsedPackages => ({
    packages: [],
    refused: [{ file, line: lineOf(text, at), message }],
  });
  let manifest: unknown;
  try {
    manifest = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    return refuse("not JSON");
  }
  if (!isObject(manifest)) return refuse("not an object");
  const changing = CHANGING.find((field) => isFilled(manifest[field]));
  if (changing !== undefined) return refuse(`'${changing}' is not allowed: it changes what is installed`, changing);
  const { dependencies = {} } = manifest;
  if (!isObject(dependencies)) return refuse("'dependencies' must be an object", "dependencies");
  // Finding the lines of many more would take long.
  if (Object.keys(dependencies).length > MOST_PACKAGES) return refuse(`more than ${MOST_PACKAGES} packages`);
  const parsed = Object.entries(dependencies).map(([name, range]) => ({ name, ...parsePackage(name, range) }));
  return {
    packages: parsed.flatMap(({ spec }) => spec ?? []),
    refused: parsed.flatMap(({ name, reason }) =>
      reason === undefined ? [] : { file, line: lineOf(text, name), message: reason },
    ),
  };
}

const CHANGING = ["overrides", "resolutions", "workspaces", "bundleDependencies", "bundledDependencies"] as const;

/** npm's own limit. */
const LONGEST_NAME = 214;
const LONGEST_RANGE = 500;

const NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
const PART = "(?:\\d{1,16}|[xX*])";
const VERSION = `${PART}(?:\\.${PART}){0,2}(?:-[0-9A-Za-z.-]{1,60})?(?:\\+[0-9A-Za-z.-]{1,60})?`;
const COMPARATOR = `(?:(?:~>|[~^<>])=? ?|= ?)?v?${VERSION}`;
/** For ranges without repeated spaces. No text matches in two ways, so matching takes linear time. */
const RANGE = new RegExp(`^${COMPARATOR}(?:(?: - | ?\\|\\| ?| )${COMPARATOR}){0,20}$`);
const TAG = /^[A-Za-z][A-Za-z0-9-]{0,40}$/;

function parsePackage(name: string, range: unknown): { spec?: string; reason?: string } {
  const refuse = (why: string): { reason: string } => ({
    reason: `${why}: ${shown(`${name}@${String(range)}`)}. Write a version of the registry, such as "^1.2.0"`,
  });
  if (name.length > LONGEST_NAME || !NAME.test(name)) return refuse("not the name of a package");
  if (typeof range !== "string" || range.length > LONGEST_RANGE) return refuse("not a version");
  const trimmed = range.trim().replace(/ +/g, " ") || "*";
  // A name that ends like a file is a file for npm.
  if (/\.(?:tgz|tar|tar\.gz)$/i.test(trimmed)) return refuse("files are not allowed");
  if (RANGE.test(trimmed) || TAG.test(trimmed)) return { spec: `${name}@${trimmed}` };
  return refuse("only versions of the registry are allowed");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isFilled(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isObject(value) ? Object.keys(value).length > 0 : value !== undefined && value !== null && value !== false;
}

/** The line of a name in the text, for a message. */
function lineOf(text: string, name = ""): number {
  const index = name === "" ? -1 : text.indexOf(JSON.stringify(name));
  return index === -1 ? 1 : text.slice(0, index).split("\n").length;
}
