import { connectAgent } from "../../../packages/skillset/src/acp/index.ts";
import { createModelAgent } from "../../../packages/testing/src/agent/model-agent.ts";
import type { ContractAdapter, ReceivedRequest } from "../../../packages/testing/src/index.ts";

/** A conversation with an agent over ACP, which gets the operations over MCP. */
export const acp: ContractAdapter = {
  name: "ACP",
  lacks: {
    "empty-offer": "an agent lists the tools once, and skills may be added later",
    "own-tools": "an agent lists the tools once, before any skill is active",
    inject: "the prompt contains the instructions only for agents without tools",
    observe: "the agent does not report its model's requests",
    "other-system": "an agent has its own system prompt",
    history: "the agent keeps the history",
    compaction: "the agent shortens the history",
    "host-rules": "the host's own tools are called through `call_tool`, which checks them too",
    "host-tools": "the host's own tools are called through `call_tool`",
    files: "the agent gets files over MCP and decides what its model gets",
    "data-files": "the agent gets files over MCP and decides what its model gets",
  },
  toolCall: (skill, tool, input) => ({ call: "call_skill_tool", input: { skill, tool, input } }),
  view: (request) => ({ ...request, ...withoutPrompts(request), tools: request.tools.flatMap(ownName) }),
  start: async ({ skills, modelUrl, instructions, operations, catalog, suggest, session: options }) => {
    const agent = await connectAgent(createModelAgent(modelUrl), {
      ...(operations && { operations }),
      ...(catalog && { catalog }),
      ...(suggest && { suggest }),
    });
    const session = await skills.session(options);
    const chat = agent.session({ skills: session });
    return {
      session,
      say: (text, { signal } = {}) => {
        SAID.add(text);
        // Once, because an agent keeps earlier messages.
        const isFirst = session.ledger.entries.length === 0;
        const think = instructions === undefined || !isFirst ? chat.think() : chat.think().system(instructions);
        return (signal === undefined ? think : think.signal(signal)).text(text).run();
      },
      close: () => agent.close(),
    };
  },
};

const SAID = new Set<string>();

/** Text before the user's own words in a message counts as the system's. */
function withoutPrompts({ system, messages }: ReceivedRequest): Pick<ReceivedRequest, "system" | "messages"> {
  const split = messages.map(({ role, text }) => {
    const said = role === "user" ? [...SAID].find((one) => text === one || text.endsWith(`\n\n${one}`)) : undefined;
    return said === undefined
      ? { before: "", message: { role, text } }
      : { before: text.slice(0, -said.length).trim(), message: { role, text: said } };
  });
  return {
    system: [system, ...split.map(({ before }) => before)].filter((part) => part !== "").join("\n\n"),
    messages: split.map(({ message }) => message),
  };
}

/** The operations belong to the server for skills; the other server has the host's tools. */
function ownName(tool: string): string[] {
  return tool.startsWith("mcp__skillset__") ? [tool.slice("mcp__skillset__".length)] : [];
}
