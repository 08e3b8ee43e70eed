import { Agent } from "@strands-agents/sdk";
import { OpenAIModel } from "@strands-agents/sdk/models/openai";
import { AgentSkills, Skill } from "@strands-agents/sdk/vended-plugins/skills";

const tea = new Skill({ name: "tea", description: "Makes tea. Use for tea.", instructions: "Steep for 3 minutes." });
const agent = new Agent({
  model: new OpenAIModel({ modelId: "gpt-5.1" }),
  plugins: [new AgentSkills({ skills: [tea, "skills"] })],
  printer: false,
});
for (const content of ["How do I make tea?", "And coffee?"]) {
  console.log(String(await agent.invoke(content)));
}
