declare module "*/SKILL.md" {
  const skill: import("skillset").Skill;
  export default skill;
}

declare module "*?skillset" {
  const skills: readonly import("skillset").Skill[];
  export default skills;
}
