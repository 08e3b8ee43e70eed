import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { jsonSchema, type ModelMessage, streamText, type Tool, ToolLoopAgent, type ToolSet } from "ai";
import { compactMessages, withSkills } from "../../../packages/skillset/src/ai-sdk/index.ts";
import type { ContractAdapter, ContractSetup } from "../../../packages/testing/src/index.ts";

type Request = Awaited<ReturnType<typeof withSkills<ToolSet>>> & {
  readonly system?: string;
  readonly abortSignal?: AbortSignal;
};
type Answer = { readonly text: string; readonly added: readonly ModelMessage[] };
type Ask = (modelUrl: string, request: Request) => Promise<Answer>;

/** `streamText`, as in a chat. */
export const aiSdkStream: ContractAdapter = adapter("AI SDK, streamText", async (modelUrl, request) => {
  const errors: unknown[] = [];
  const result = streamText({ model: modelAt(modelUrl), ...request, onError: ({ error }) => void errors.push(error) });
  for await (const part of result.fullStream) {
    if (part.type === "abort") throw new Error("The run was aborted.");
  }
  if (errors.length > 0) throw errors[0];
  return { text: await result.text, added: await result.responseMessages };
});

/** An agent, which does not stream here. */
export const aiSdkAgent: ContractAdapter = adapter("AI SDK, ToolLoopAgent", async (modelUrl, request) => {
  const { messages, abortSignal, ...settings } = request;
  const { system, ...others } = settings;
  // An agent has no `system`.
  const instructions = system === undefined ? {} : { instructions: system };
  const agent = new ToolLoopAgent({ model: modelAt(modelUrl), ...instructions, ...others });
  const { text, responseMessages } = await agent.generate({ messages, ...(abortSignal && { abortSignal }) });
  return { text, added: responseMessages };
});

function adapter(name: string, ask: Ask): ContractAdapter {
  return {
    name,
    lacks: { "data-files": "the SDK's provider for compatible endpoints has no files with text" },
    start: async ({ skills, modelUrl, session: sessionOptions, tools = [], ...setup }: ContractSetup) => {
      const session = await skills.session(sessionOptions);
      const own = Object.fromEntries(tools.map((one) => [one.name, toTool(one)]));
      let messages: readonly ModelMessage[] = [];
      return {
        session,
        say: async (content, { signal, history } = {}) => {
          if (history === "drop") messages = [];
          else if (history !== undefined)
            ({ messages } = await compactMessages(session, messages, { budget: history }));
          const asked: readonly ModelMessage[] = [...messages, { role: "user", content }];
          const { instructions, system, ...options } = setup;
          const { invoked: _invoked, ...request } = await withSkills({
            session,
            request: { messages: asked, tools: own as ToolSet, ...(instructions !== undefined && { instructions }) },
            ...options,
            ...(signal && { signal }),
          });
          const { text, added } = await ask(modelUrl, {
            ...(system !== undefined && { system }),
            ...request,
            ...(signal && { abortSignal: signal }),
          } as Request);
          messages = [...asked, ...added];
          return text;
        },
        close: async () => {},
      };
    },
  };
}

export function modelAt(url: string) {
  return createOpenAICompatible({ name: "scripted", baseURL: `${url}/v1` }).chatModel("scripted");
}

function toTool({ description, inputSchema, handler }: NonNullable<ContractSetup["tools"]>[number]): Tool {
  return {
    description,
    inputSchema: jsonSchema(inputSchema as object),
    execute: (input: unknown, { abortSignal = new AbortController().signal }) =>
      handler(input, { signal: abortSignal }),
  };
}
