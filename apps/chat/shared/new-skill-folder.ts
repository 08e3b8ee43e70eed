import type { SkillsView } from "./skills-api.ts";

/** The scanned folder in which a first skill is best created: the one that other agents read too, or the first. */
export function newSkillFolder(roots: SkillsView["roots"]): string | undefined {
  // The page does not know the whole path of a folder outside the project and the home.
  const named = roots.filter(({ isAbove, path }) => !isAbove && !path.startsWith("…"));
  return (named.find(({ path }) => /(?:^|[\\/])\.agents[\\/]skills$/.test(path)) ?? named[0])?.path;
}
