import { connectAgent } from "../../../packages/skillset/src/acp/index.ts";
import { createModelAgent } from "../../../packages/testing/src/agent/model-agent.ts";
import type { ContractEvaluator, ReceivedRequest } from "../../../packages/testing/src/index.ts";

/** An agent over ACP, which gets the tools of the prompt over MCP. */
export const acp: ContractEvaluator = {
  name: "ACP",
  lacks: {
    "growing-tools": "an agent lists the tools once; those of opened sections are called through `call_tool`",
    "written-output": "only a result of an agent without our tools is read from its answer",
    "max-steps": "the agent decides how many requests it sends",
    files: "the agent gets files over MCP and decides what its model gets",
  },
  toolName: (name) => `mcp__think__${name}`,
  openedCall: (tool, input) => ({ call: "call_tool", input: { tool, input } }),
  view: (request) => ({ ...request, tools: request.tools.map(ownName) }),
  start: async ({ modelUrl, folder }) => {
    const agent = await connectAgent(createModelAgent(modelUrl), { cwd: folder });
    return {
      evaluate: (prompt, { signal, maxSteps: _, ...options }) => {
        const asked = agent.think().prompt(prompt, options);
        return (signal === undefined ? asked : asked.signal(signal)).run();
      },
      close: () => agent.close(),
    };
  },
};

/** The name without the prefix of the agent. */
export function ownName(tool: string): ReceivedRequest["tools"][number] {
  return tool.replace(/^mcp__\w+?__/, "");
}
