import { openai } from "@ai-sdk/openai";
import { createSkillset, defineSkill } from "skillset";
import { createChat } from "skillset/ai-sdk";

const tea = defineSkill({ name: "tea", description: "Makes tea. Use for tea.", body: "Steep for 3 minutes." });
const chat = await createChat({ skills: await createSkillset([tea, "skills"]), request: { model: openai("gpt-5.1") } });
console.log((await chat.send("How do I make tea?")).text);
console.log((await chat.send("And coffee?")).text);
