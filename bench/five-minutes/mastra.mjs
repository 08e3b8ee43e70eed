import { Agent } from "@mastra/core/agent";
import { createSkill } from "@mastra/core/skills";

const tea = createSkill({ name: "tea", description: "Makes tea. Use for tea.", instructions: "Steep for 3 minutes." });
const agent = new Agent({
  id: "waiter",
  name: "waiter",
  instructions: "You are a waiter.",
  model: { id: "openai/gpt-5.1", url: process.env.OPENAI_BASE_URL, apiKey: process.env.OPENAI_API_KEY },
  skills: [tea, "skills"],
});
const messages = [];
for (const content of ["How do I make tea?", "And coffee?"]) {
  messages.push({ role: "user", content });
  const result = await agent.generate(messages);
  messages.push(...result.response.messages);
  console.log(result.text);
}
