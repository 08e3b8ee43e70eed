import { MemorySaver } from "@langchain/langgraph";
import { ChatOpenAI } from "@langchain/openai";
import { CompositeBackend, createDeepAgent, FilesystemBackend, StateBackend } from "deepagents";

const content = "---\nname: tea\ndescription: Makes tea. Use for tea.\n---\nSteep for 3 minutes.";
const now = new Date().toISOString();
const files = { "/code/tea/SKILL.md": { content, mimeType: "text/markdown", created_at: now, modified_at: now } };
const folder = new FilesystemBackend({ rootDir: "skills", virtualMode: true });
const agent = createDeepAgent({
  model: new ChatOpenAI({ model: "gpt-5.1" }),
  backend: new CompositeBackend(new StateBackend(), { "/skills/": folder }),
  skills: ["/skills/", "/code/"],
  checkpointer: new MemorySaver(),
});
for (const content of ["How do I make tea?", "And coffee?"]) {
  const input = { messages: [{ role: "user", content }], files };
  const { messages } = await agent.invoke(input, { configurable: { thread_id: "1" } });
  console.log(messages.at(-1).text);
}
