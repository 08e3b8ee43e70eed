import type { SkillSource, SourceEntry } from "../core/source/source.ts";
import { byteLength } from "../core/text/bytes.ts";
import { SKILL_FILES } from "./skill-files.build.ts";

/** The bundled skills from memory, for bundled programs without their folder. */
export const inlinedSkills: SkillSource = {
  name: "skillset",
  list: async () => Object.keys(SKILL_FILES).flatMap(toEntry),
  read: async (folder, path) => SKILL_FILES[`${folder}/${path}`],
};

function toEntry(skillMd: string): SourceEntry[] {
  const [, folder] = /^([^/]+)\/SKILL\.md$/.exec(skillMd) ?? [];
  if (folder === undefined) return [];
  const files = Object.entries(SKILL_FILES)
    .filter(([path]) => path.startsWith(`${folder}/`) && path !== skillMd)
    .map(([path, text]) => ({ path: path.slice(folder.length + 1), size: byteLength(text) }));
  return [{ folder, skillMd: SKILL_FILES[skillMd] ?? "", files }];
}
