import type { Problem } from "../../core/base/problem.ts";
import { resolvePolicy } from "../../core/manifest/policy.ts";
import { NOTHING_IGNORED } from "../files/ignored-folders.ts";
import type { FolderReading } from "../skill-folder/read-skill-folder.ts";
import { scan } from "./scan.ts";
import { scanDepth } from "./scan-depth.ts";

/** The skill folders below one folder. */
export interface ScannedSkills {
  /** Each folder once: a link to a skill in the folder is the same skill again. */
  readonly readings: readonly FolderReading[];
  /** Problems of the folder itself, such as a link that leaves it. */
  readonly problems: readonly Problem[];
}

/** Searches one folder for skills without waiting, for constructors. Follows no link that leaves the folder. */
export function scanSkillsSync(path: string, recursive: boolean | number | undefined): ScannedSkills {
  const problems: Problem[] = [];
  const readings: FolderReading[] = [];
  const onReading = (reading: FolderReading, isFirst: boolean): void => {
    if (isFirst) readings.push(reading);
  };
  // With `needsTrust`, links that leave the folder are not followed. Trust itself is not checked here.
  const source = {
    path,
    scope: "given" as const,
    optional: false,
    depth: scanDepth(recursive),
    needsTrust: true,
    within: undefined,
    isIgnored: NOTHING_IGNORED,
    quiet: false,
  };
  const sets = { failed: new Set<string>(), searched: new Set<string>() };
  const context = { problems, readings: new Map(), ...sets, known: new Map(), onReading };
  for (const _ of scan(source, { ...context, policy: resolvePolicy({ policy: "standard" }) }));
  return { readings, problems };
}
