import { statSync } from "node:fs";
import { join } from "node:path";
import { agentsWith } from "../../../agents/find-agent.ts";
import { SKILL_FOLDERS } from "../../../node/load/sources.ts";

/** The folders in which repositories keep skills, limited to those that exist. */
export function repositoryFolders(repository: string): readonly string[] {
  const ofAgents = agentsWith("project").flatMap(({ project: { skills, others = [] } }) => [skills, ...others]);
  const names = new Set(["skills", ".skills", ...SKILL_FOLDERS, ...ofAgents.sort()]);
  return [...names]
    .map((name) => join(repository, name))
    .filter((folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true);
}
