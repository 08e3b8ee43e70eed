import { createSkillset } from "skillset";

const [folder] = process.argv.slice(2);
const { skills } = await createSkillset([folder]);
console.log(skills.length ?? skills.size);
