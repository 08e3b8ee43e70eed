import { Agent, type AgentInputItem, OpenAIProvider, Runner, tool } from "@openai/agents";
import { withSkills } from "../../../packages/skillset/src/openai-agents/index.ts";
import type { ContractAdapter, ContractSetup } from "../../../packages/testing/src/index.ts";
import { clientAt } from "./openai.ts";

/** An agent of the OpenAI Agents SDK, streamed over the Responses API. */
export const openaiAgents: ContractAdapter = {
  name: "OpenAI Agents",
  lacks: {
    compaction: "the SDK's own sessions keep and shorten histories",
  },
  start: async ({ skills, modelUrl, session: sessionOptions, instructions: own, system, tools = [], ...setup }) => {
    const session = await skills.session(sessionOptions);
    const provider = new OpenAIProvider({ openAIClient: clientAt(modelUrl), useResponses: true });
    const runner = new Runner({ modelProvider: provider, tracingDisabled: true });
    let items: readonly AgentInputItem[] = [];
    return {
      session,
      say: async (content, { signal, history } = {}) => {
        if (history === "drop") items = [];
        const { input, callModelInputFilter, ...settings } = await withSkills({
          session,
          request: {
            ...(own !== undefined && { instructions: own }),
            tools: tools.map(toTool),
            input: [...items, { role: "user", content }],
          },
          ...setup,
          ...(signal && { signal }),
        });
        const agent = new Agent({
          name: "Scripted",
          model: "scripted",
          ...(system !== undefined && { instructions: system }),
          ...settings,
        });
        const run = await runner.run(agent, input, {
          stream: true,
          callModelInputFilter,
          toolNotFoundBehavior: "return_error_to_model",
          ...(signal && { signal }),
        });
        await run.completed;
        if (signal?.aborted) throw signal.reason;
        items = run.history;
        return run.finalOutput ?? "";
      },
      close: () => provider.close(),
    };
  },
};

function toTool({ name, description, inputSchema, handler }: NonNullable<ContractSetup["tools"]>[number]) {
  return tool({
    name,
    description,
    parameters: inputSchema as never,
    strict: false,
    execute: async (input: unknown, _context, details) =>
      handler(input, { signal: details?.signal ?? new AbortController().signal }),
  });
}
