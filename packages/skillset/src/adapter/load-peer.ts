import { SkillError } from "../core/base/errors.ts";

/** The versions of an optional package that an entry point works with. */
export interface PeerVersions {
  /** The name of the package. */
  readonly name: string;
  /** The supported versions, as npm writes them. */
  readonly range: string;
  /** The version to install. */
  readonly install: string;
}

/**
 * Loads an optional peer dependency. If it is not installed, throws `peer-missing` with the command to install it.
 * `versions` and `features` refuse an unsupported version: see `requireFeatures`.
 */
export async function loadPeer<Module extends object>(
  name: string,
  load: () => Promise<Module>,
  { versions, features = [] }: { readonly versions?: PeerVersions; readonly features?: readonly string[] } = {},
): Promise<Module> {
  try {
    const module = await load();
    if (versions !== undefined) requireFeatures(`The installed '${name}'`, module, features, versions);
    return module;
  } catch (error) {
    const { code = "", message = "" } = error as { code?: string; message?: string };
    const isMissing = NOT_FOUND.includes(code) && message.includes(`'${name}'`);
    if (!isMissing) throw error;
    const wanted = versions === undefined ? name : `${name}@${versions.install}`;
    throw new SkillError("peer-missing", `The package '${name}' is not installed. Run "npm install ${wanted}".`, {
      cause: error,
    });
  }
}

/** The codes of `import` and, in bundles in CommonJS, of `require`. */
const NOT_FOUND: readonly string[] = ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"];

/**
 * Throws `peer-unsupported` if a module or a client lacks one of these functions, such as `messages.stream`. The ranges of
 * optional peers do not stop an installation, so an unsupported version is recognised here, at the first call.
 */
export function requireFeatures(
  what: string,
  value: object,
  features: readonly string[],
  { name, range, install }: PeerVersions,
): void {
  const missing = features.find((path) => typeof at(value, path) !== "function");
  if (missing === undefined) return;
  throw new SkillError(
    "peer-unsupported",
    `${what} has no '${missing}'. This version of '${name}' is not supported: ` +
      `skillset needs ${range}. Run "npm install ${name}@${install}".`,
  );
}

function at(value: object, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((inner, key) => (inner as Readonly<Record<string, unknown>> | undefined)?.[key], value);
}
