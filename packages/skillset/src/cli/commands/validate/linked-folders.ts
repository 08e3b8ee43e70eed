import { statSync } from "node:fs";
import { join } from "node:path";
import { agentsWith } from "../../../agents/find-agent.ts";
import { isWithin } from "../../../node/files/contained-read.ts";
import { realPath } from "../../../node/files/real-path.ts";
import { PROJECT_FOLDERS } from "../../../node/load/sources.ts";

/** The skill folders of a repository that are links to folders outside it. A scan does not follow these links. */
export function linkedFolders(repository: string): readonly string[] {
  const ofAgents = agentsWith("project").flatMap(({ project: { skills, others = [] } }) => [skills, ...others]);
  const root = realPath(repository);
  return [...new Set([...PROJECT_FOLDERS, ...ofAgents])]
    .map((name) => join(repository, name))
    .filter(
      (folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory() && !isWithin(root, realPath(folder)),
    );
}
