import { isAbsolute, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { Io } from "../../terminal/io.ts";

/**
 * A path in a report for a CI service: relative to the root of the checkout or, elsewhere, to the working directory;
 * absolute if it is outside. Empty for the root itself.
 */
export function relativePath(path: string, { cwd, env }: Pick<Io, "cwd" | "env">): string {
  const { GITHUB_WORKSPACE: checkout } = env;
  const base = checkout !== undefined && isAbsolute(checkout) && isInside(cwd, checkout) ? checkout : cwd;
  return isInside(path, base) ? relative(base, path).split(sep).join("/") : path;
}

/** The same as a URI reference: relative, or a `file:` URL. */
export function relativeUri(path: string, io: Pick<Io, "cwd" | "env">): string {
  const shown = relativePath(path, io);
  if (isAbsolute(shown)) return pathToFileURL(shown).href;
  return shown.toWellFormed().split("/").map(encodeURIComponent).join("/") || ".";
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
