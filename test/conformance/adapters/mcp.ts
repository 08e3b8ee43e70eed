import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { type AnySchema, createSkillset, type JsonSchema, type Tool } from "../../../packages/skillset/src/index.ts";
import { createSkillsServer } from "../../../packages/skillset/src/mcp/index.ts";
import { runChat } from "../../../packages/skillset/src/openai/index.ts";
import type { ContractAdapter } from "../../../packages/skillset/src/testing/index.ts";
import { clientAt } from "./openai.ts";

/** The server, and a client like an agent's: instructions go into the prompt, tools to the model, prompts are commands. */
export const mcp: ContractAdapter = {
  name: "MCP",
  lacks: {
    "own-tools": "a server has the same tools for every skill",
    "invoked-active": "a server returns a prompt without knowing whether the model sees it",
    inject: "a client without tools requests the prompt instead",
    observe: "a server does not see the model's requests",
    notice: "a server sends its instructions once, when the client connects",
    compaction: "the client keeps the history",
    "host-rules": "the client runs its own functions",
    store: "each connection has a separate session",
    budget: "the client counts its tokens",
  },
  toolCall: (skill, tool, input) => ({ call: "call_skill_tool", input: { skill, tool, input } }),
  start: async ({ skills, modelUrl, instructions, tools = [], operations, session: { limits } = {} }) => {
    const server = createSkillsServer(skills, { ...(operations && { operations }), ...(limits && { limits }) });
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: "contract", version: "1.0.0" });
    const [{ session }] = await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
    const system = [instructions, client.getInstructions()].filter(Boolean).join("\n\n");
    const start = system === "" ? [] : [{ role: "system" as const, content: system }];
    const loop = await (await createSkillset([])).session();
    let messages: readonly ChatCompletionMessageParam[] = start;
    return {
      session,
      say: async (text, { signal, history } = {}) => {
        const asked = [...(history === "drop" ? start : messages), ...(await messagesFor(client, text))];
        const options = { tools: [...tools, ...(await toolsOf(client))], ...(signal && { signal }) };
        const run = await runChat(clientAt(modelUrl), loop, { model: "scripted", messages: asked }, options);
        messages = [...asked, ...run.added];
        return run.text;
      },
      close: async () => {
        await client.close();
        await server.close();
      },
    };
  },
};

/** Clients show a prompt as a slash command. */
async function messagesFor(client: Client, text: string): Promise<ChatCompletionMessageParam[]> {
  const [, name = "", words = ""] = /^\/(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  const { prompts } = name === "" ? { prompts: [] } : await client.listPrompts();
  if (!prompts.some((prompt) => prompt.name === name)) return [{ role: "user", content: text }];
  const prompt = await client.getPrompt({ name, arguments: { arguments: words } });
  return prompt.messages.map(({ content }) => ({ role: "user", content: content.type === "text" ? content.text : "" }));
}

async function toolsOf(client: Client): Promise<Tool[]> {
  const { tools } = await client.listTools();
  return tools.map(({ name, description = "", inputSchema }) => ({
    name,
    description,
    inputSchema: unchecked(inputSchema),
    handler: async (input, options) => {
      const { content } = await client.callTool({ name, arguments: input as Record<string, unknown> }, options);
      return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
    },
  }));
}

/** Clients send the model's input unchanged; the server validates it. */
function unchecked(schema: JsonSchema): AnySchema {
  const validate = (value: unknown) => ({ value });
  const standard = { version: 1 as const, vendor: "mcp", validate, jsonSchema: { input: () => schema } };
  return { "~standard": standard };
}
