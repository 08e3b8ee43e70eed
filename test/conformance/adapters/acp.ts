import { connectAgent } from "../../../packages/skillset/src/acp/index.ts";
import { createModelAgent } from "../../../packages/skillset/src/testing/agent/model-agent.ts";
import type { ContractAdapter, ReceivedRequest } from "../../../packages/skillset/src/testing/index.ts";

/** A conversation with an agent over ACP, which has the operations over MCP. */
export const acp: ContractAdapter = {
  name: "ACP",
  lacks: {
    "empty-offer": "an agent asks once what is on offer, and skills may come later",
    "own-tools": "an agent asks once what is on offer, before any skill is active",
    inject: "the instructions stand in the prompt only for agents that call no tools",
    observe: "the agent does not say what its model is sent",
    history: "the history is the agent's",
    compaction: "the history is the agent's to shorten",
    "host-tools": "a host's own tools are called through `call_tool`",
  },
  toolCall: (skill, tool, input) => ({ call: "call_skill_tool", input: { skill, tool, input } }),
  view: (request) => ({ ...request, ...withoutPrompts(request), tools: request.tools.flatMap(ownName) }),
  start: async ({ skills, modelUrl, instructions, operations, session: options }) => {
    const agent = await connectAgent(createModelAgent(modelUrl), { ...(operations && { operations }) });
    const session = await skills.session(options);
    const chat = agent.session({ skills: session });
    return {
      session,
      say: (text, { signal } = {}) => {
        SAID.add(text);
        // Once: an agent remembers what it was told.
        const isFirst = session.ledger.length === 0;
        const think = instructions === undefined || !isFirst ? chat.think() : chat.think().system(instructions);
        return (signal === undefined ? think : think.signal(signal)).text(text).run();
      },
      close: () => agent.close(),
    };
  },
};

const SAID = new Set<string>();

/** What stands before a person's words in a message counts as the system's. */
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

/** The operations are the server's for skills; the other has the host's tools. */
function ownName(tool: string): string[] {
  return tool.startsWith("mcp__skillset__") ? [tool.slice("mcp__skillset__".length)] : [];
}
