// Written by @skillset/unplugin: the types of skills that are compiled in. Commit this file.
// biome-ignore-all format: written by a program
// biome-ignore-all lint: written by a program
/* eslint-disable */

// "./skills": ["brew-tea","water-plants"]
declare module "*/skills?skillset" {
  export const names: readonly ["brew-tea", "water-plants"];
  const skills: readonly (import("skillset").Skill & { readonly name: (typeof names)[number] })[];
  export default skills;
}

// "./skills/brew-tea/SKILL.md": ["brew-tea"]
declare module "*/brew-tea/SKILL.md" {
  const skill: import("skillset").Skill & { readonly name: "brew-tea" };
  export default skill;
}
declare module "*/brew-tea/SKILL.md?skillset" {
  const skill: import("skillset").Skill & { readonly name: "brew-tea" };
  export default skill;
}

declare module "*/SKILL.md" {
  const skill: import("skillset").Skill & { readonly name: string };
  export default skill;
}
declare module "*/SKILL.md?skillset" {
  const skill: import("skillset").Skill & { readonly name: string };
  export default skill;
}
declare module "*?skillset" {
  export const names: readonly string[];
  const skills: readonly (import("skillset").Skill & { readonly name: (typeof names)[number] })[];
  export default skills;
}
