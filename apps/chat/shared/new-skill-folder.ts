import type { SkillsView } from "./skills-api.ts";

/** The scanned folder in which a first skill is best created: the one that other agents read too, or the first. */
export function newSkillFolder(roots: SkillsView["roots"]): string | undefined {
  const named = roots.filter(({ isAbove }) => !isAbove);
  return (named.find(({ path }) => /(?:^|[\\/])\.agents[\\/]skills$/.test(path)) ?? named[0])?.path;
}
