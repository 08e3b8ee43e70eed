import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createSkillset, defineSkill, MemorySessionStore } from "skillset";
import { createChat } from "skillset/ai-sdk";
import { createSkillsServer } from "skillset/mcp";

const tea = defineSkill({
  name: "tea",
  description: "Makes tea. Use when asked for tea.",
  body: "Read kinds.md, then answer.",
  files: { "kinds.md": "Green tea: 3 minutes." },
});
const loading = createSkillset([tea]);
const store = new MemorySessionStore(); // or one over KV or a Durable Object, so that any instance can answer

interface Env {
  readonly MODEL_URL: string;
}

export default {
  async fetch(request: Request, { MODEL_URL }: Env): Promise<Response> {
    const skills = await loading;
    const { pathname } = new URL(request.url);
    // Other agents can use the skills too. Authenticate them first.
    if (pathname === "/mcp") return createSkillsServer(skills).fetch(request);
    // If you have users, put the id of the user before that of the conversation.
    const { id, text } = (await request.json()) as { readonly id: string; readonly text: string };
    const model = createOpenAICompatible({ name: "model", baseURL: MODEL_URL }).chatModel("model");
    const chat = await createChat({ skills, request: { model }, session: { id, store } });
    const answer = await chat.send(text);
    return Response.json({ text: answer.text, active: chat.session.active });
  },
};
