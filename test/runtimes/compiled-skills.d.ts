declare module "*?skillset" {
  const skills: readonly import("skillset").Skill[];
  export default skills;
}
