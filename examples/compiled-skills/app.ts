import { createSkillset } from "skillset";
import tea from "./skills/brew-tea/SKILL.md";
import skills, { type names } from "./skills?skillset";

/** The names of the compiled skills: "brew-tea" | "water-plants". */
export type SkillName = (typeof names)[number];

export const skillset = await createSkillset(skills);
export const favorite: SkillName = tea.name;
