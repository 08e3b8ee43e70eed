import { isAbsolute, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { Io } from "../terminal/io.ts";

/**
 * A path as reports for CI services name it: from the root of the checkout, or from the working directory elsewhere;
 * absolute when it is outside. Empty for the root itself.
 */
export function relativePath(path: string, { cwd, env }: Pick<Io, "cwd" | "env">): string {
  const { GITHUB_WORKSPACE: checkout } = env;
  const base = checkout !== undefined && isAbsolute(checkout) && isInside(cwd, checkout) ? checkout : cwd;
  return isInside(path, base) ? relative(base, path).split(sep).join("/") : path;
}

/** The same as the reference of a URI: relative, or a `file:` address. */
export function relativeUri(path: string, io: Pick<Io, "cwd" | "env">): string {
  const shown = relativePath(path, io);
  if (isAbsolute(shown)) return pathToFileURL(shown).href;
  return shown.toWellFormed().split("/").map(encodeURIComponent).join("/") || ".";
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
