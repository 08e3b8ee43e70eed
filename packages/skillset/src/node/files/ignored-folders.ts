import { isAbsolute, relative, sep } from "node:path";
import { SkillError } from "../../core/base/errors.ts";
import { describeValue } from "../../core/text/describe-value.ts";

/** Whether a search leaves a folder out. The path is absolute. */
export type IsIgnored = (folder: string) => boolean;

export const NOTHING_IGNORED: IsIgnored = () => false;

/**
 * Compiles globs of folders. A glob without a slash matches the names of folders at any depth; any other one matches
 * paths, relative to `base`.
 */
export async function compileIgnored(globs: readonly string[], base: string): Promise<IsIgnored> {
  if (!Array.isArray(globs) || globs.some((glob) => typeof glob !== "string" || glob === ""))
    throw new SkillError("option-invalid", `'ignore' must be an array of globs, not ${describeValue(globs)}.`);
  if (globs.length === 0) return NOTHING_IGNORED;
  // Loaded on demand, because few callers use patterns.
  const { default: picomatch } = await import("picomatch");
  const matchers = globs.map((glob) => {
    const written = glob.replace(/\/$/, "");
    const pattern = isAbsolute(written) ? pathFrom(base, written) : written.replace(/^\.\//, "");
    return picomatch(pattern, { dot: true, basename: !written.includes("/") });
  });
  return (folder) => {
    const path = pathFrom(base, folder);
    // `**` does not match the dots of a path that leaves the base.
    const below = path.replace(/^(?:\.\.\/)+/, "");
    return matchers.some((matches) => matches(path) || matches(below));
  };
}

function pathFrom(base: string, path: string): string {
  return relative(base, path).split(sep).join("/");
}
