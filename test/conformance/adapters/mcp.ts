import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { type ModelTool, type ResultFile, toResultFile } from "../../../packages/skillset/src/adapter/index.ts";
import { createSkillset } from "../../../packages/skillset/src/index.ts";
import { createSkillsServer } from "../../../packages/skillset/src/mcp/index.ts";
import { runChat } from "../../../packages/skillset/src/openai/index.ts";
import type { ContractAdapter } from "../../../packages/testing/src/index.ts";
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
    "other-system": "the client writes its system prompt",
    compaction: "the client keeps the history",
    "host-rules": "the client runs its own functions",
    store: "each connection has a separate session",
    budget: "the client counts its tokens",
    "data-files": "the client decides how its model gets an embedded resource",
  },
  toolCall: (skill, tool, input) => ({ call: "call_skill_tool", input: { skill, tool, input } }),
  start: async ({ skills, modelUrl, instructions, tools = [], operations, catalog, session = {} }) => {
    const { limits, telemetry } = session;
    const options = {
      ...(operations && { operations }),
      ...(catalog && { catalog }),
      ...(limits && { limits }),
      ...(telemetry && { telemetry }),
    };
    const server = createSkillsServer(skills, options);
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: "contract", version: "1.0.0" });
    const [{ session: served }] = await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
    const system = [instructions, client.getInstructions()].filter(Boolean).join("\n\n");
    const start = system === "" ? [] : [{ role: "system" as const, content: system }];
    const loop = await (await createSkillset([])).session();
    let messages: readonly ChatCompletionMessageParam[] = start;
    return {
      session: served,
      say: async (text, { signal, history } = {}) => {
        const asked = [...(history === "drop" ? start : messages), ...(await messagesFor(client, text))];
        const options = { tools: [...tools, ...(await toolsOf(client))], ...(signal && { signal }) };
        const run = await runChat({
          client: clientAt(modelUrl),
          session: loop,
          request: { model: "scripted", messages: asked },
          ...options,
        });
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

/** Clients send the model's input unchanged, and their model gets the texts and images of the result. */
async function toolsOf(client: Client): Promise<ModelTool[]> {
  const { tools } = await client.listTools();
  return tools.map(({ name, description = "", inputSchema }) => ({
    name,
    description,
    inputSchema,
    isAvailable: () => true,
    execute: async (input, { signal } = {}) => {
      const asked = { name, arguments: input as Record<string, unknown> };
      const { content } = await client.callTool(asked, signal && { signal });
      const text = content.map(textOf).filter(Boolean).join("\n");
      return { isError: false, text, data: {}, files: content.flatMap(imageOf) };
    },
  }));
}

type Content = Awaited<ReturnType<Client["callTool"]>>["content"][number];

function textOf(part: Content): string {
  if (part.type === "text") return part.text;
  return part.type === "resource" && "text" in part.resource ? part.resource.text : "";
}

function imageOf(part: Content): ResultFile[] {
  if (part.type !== "image") return [];
  return [toResultFile({ path: "image", mediaType: part.mimeType }, Buffer.from(part.data, "base64"))];
}
