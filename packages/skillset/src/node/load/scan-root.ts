import { realpathSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { SkillError } from "../../core/base/errors.ts";
import { isWithin } from "../files/contained-read.ts";
import type { FoundFolder } from "../skill-folder/read-skill-folder.ts";
import type { ScanContext, ScanSource } from "./scan.ts";

export interface ScanRoot {
  readonly place: FoundFolder;
  /** Whether the source is a SKILL.md file, so only that skill is loaded. */
  readonly isSkillMd: boolean;
}

/** Finds the real folder of a source. Reports a problem if an optional source is unusable. Otherwise throws. */
export function findRoot(source: ScanSource, context: ScanContext): ScanRoot | undefined {
  const { path, scope, optional } = source;
  const report = (code: "source-missing" | "source-unreadable" | "link-outside", message: string): undefined => {
    if (!optional && code === "source-missing")
      throw new SkillError("source-not-found", `${message} Create it, or pass another path.`);
    if (!optional) throw new SkillError("source-unreadable", `${message} ${FIXES[code]}`);
    const isExpected = code === "source-missing" && scope !== "given";
    if (!context.failed.has(path))
      context.problems.push({ code, severity: isExpected ? "info" : "warning", message, path, fix: FIXES[code] });
    context.failed.add(path);
  };
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return report("source-missing", `No skills at '${path}': it does not exist.`);
    if (!stats.isDirectory() && basename(path) !== "SKILL.md") {
      return report("source-missing", `No skills at '${path}': it is neither a folder nor a SKILL.md.`);
    }
    const given = stats.isDirectory() ? path : dirname(path);
    const root = realpathSync(given);
    if (source.within !== undefined && !isWithin(realpathSync(source.within), root)) {
      return report("link-outside", `'${path}' is a link that leaves its project. It is not followed.`);
    }
    const place = { folder: root, name: basename(given), root, scope, isGuarded: source.needsTrust };
    return { place, isSkillMd: given !== path };
  } catch (error) {
    if (error instanceof SkillError) throw error;
    return report("source-unreadable", `'${path}' cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

const FIXES = {
  "source-missing": "Create the folder, or remove it from the sources.",
  "source-unreadable": "Check the folder's permissions.",
  "link-outside": "Replace the link with the folder itself.",
} as const;
