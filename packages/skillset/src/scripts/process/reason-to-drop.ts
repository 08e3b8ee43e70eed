import { LIMITS } from "../../core/base/limits.ts";
import { isPrivate } from "../../core/text/relative-path.ts";

/** Why a script may not keep this, or undefined if it may. */
export function reasonToDrop({
  path,
  kind,
}: {
  path: string;
  kind: "file" | "directory" | "other";
}): string | undefined {
  if (kind === "other") return "it is a link or a special file";
  const isTooLong = Buffer.byteLength(path) > LONGEST_PATH;
  if (isTooLong || path.split("/").length > LIMITS.hard.nesting) return "it is nested too deeply";
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffd\\]/u.test(path)) return "its name has characters that are not allowed";
  if (isPrivate(path)) return "its name is that of a private file";
  return undefined;
}

/** Far below the limit of systems, so that paths within a folder of this length still work. */
const LONGEST_PATH = 1024;
