import { openai } from "@ai-sdk/openai";
import { generateText } from "ai";
import { createSkillset, defineSkill } from "skillset";
import { withSkills } from "skillset/ai-sdk";

const tea = defineSkill({ name: "tea", description: "Makes tea. Use for tea.", body: "Steep for 3 minutes." });
const skills = await createSkillset([tea, "skills"]);
for (const { path, line, message, fix } of skills.problems) console.warn(`${path}:${line}: ${message} ${fix}`);
const session = await skills.session();
const messages = [];
for (const content of ["How do I make tea?", "And coffee?"]) {
  messages.push({ role: "user", content });
  const result = await generateText({ model: openai("gpt-5.1"), ...(await withSkills(session, { messages })) });
  messages.push(...result.responseMessages);
  console.log(result.text);
}
