import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ScriptedAgentOptions, startScriptedAgent } from "../../packages/testing/src/agent/scripted-agent.ts";
import { startScriptedModel } from "../../packages/testing/src/model/scripted-model.ts";
import { type AgentUnderTest, startAgent } from "./agent-under-test.ts";

/** The agent of `@skillset/testing`, in this process. */
export function agentInProcess(scripted: ScriptedAgentOptions = {}): AgentUnderTest {
  return {
    name: "the agent in this process",
    start: (script, options) =>
      startAgent(async (folder) => {
        const agent = await startScriptedAgent(script, scripted);
        return { target: agent.app, model: agent, cwd: workIn(folder) };
      }, options),
  };
}

/** The same agent as a separate program. */
export const agentProgram: AgentUnderTest = {
  name: "the agent that is a program",
  start: (script, options) =>
    startAgent(async (folder) => {
      const model = await startScriptedModel(script, { isSide: () => false });
      const cwd = workIn(folder);
      return { target: { command: process.execPath, args: [PROGRAM, "model", model.url], cwd }, model, cwd };
    }, options),
};

const PROGRAM = fileURLToPath(new URL("./agent-program.ts", import.meta.url));

function workIn(folder: string): string {
  const cwd = join(folder, "work");
  mkdirSync(cwd);
  return cwd;
}
