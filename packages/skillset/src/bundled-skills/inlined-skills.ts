import type { Skill } from "../core/skill/skill.ts";
import { restoreSkill } from "../core/skill/skill-snapshot.ts";
import { INLINED } from "./skill-files.build.ts";

/** The bundled skills from memory, for bundled programs without their folder. */
export const inlinedSkills: readonly Skill[] = INLINED.map(({ snapshot, texts }) =>
  restoreSkill(snapshot, async (path) => texts[path] ?? ""),
);
