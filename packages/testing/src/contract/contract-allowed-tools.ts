import assert from "node:assert/strict";
import type { SessionOptions } from "skillset";
import { defineSkill } from "skillset";
import type { ContractAdapter, ContractScenario } from "./contract-adapter.ts";
import { converse, lastRequest, resultsIn, toolCall } from "./contract-conversation.ts";
import { ACTIVATE_TEA, brewing } from "./contract-skills.ts";

/** What skills allow while they are active. */
export const allowedToolsScenarios: readonly ContractScenario[] = [
  {
    id: "allowed-host-tools",
    title: "With `enforce`, a host's function that an active skill does not list is not run, and the model learns why",
    needs: "host-rules",
    run: (adapter) => callShell(adapter, "enforce", ["The files.", DENIED]),
  },
  {
    id: "allowed-host-tools-log",
    title: "With `log`, a host's function that an active skill does not list is run and recorded",
    needs: "host-rules",
    run: (adapter) => callShell(adapter, "log", ["The files.", "The files."]),
  },
  {
    id: "allowed-skill-tools",
    title: "With `enforce`, a skill's tool that an active skill does not list is not run, and the model learns why",
    run: (adapter) => {
      let calls = 0;
      const skills = [TEA, brewing("coffee", () => ++calls)];
      const call = toolCall(adapter, "coffee", "brew", { cups: 1 });
      const script = [{ calls: [ACTIVATE_TEA, { call: "activate_skill", input: { name: "coffee" } }] }, call, DONE];
      return converse(adapter, { skills, script, allowedTools: "enforce" }, async ({ agent, model }) => {
        assert.equal(await agent.say("Coffee, please."), "Done.");
        const expected = /'coffee__brew' is not allowed while skill 'tea' is in use: .* lack 'coffee__brew'/;
        assert.match(resultsIn(lastRequest(model)).at(-1) ?? "", expected);
        assert.equal(calls, 0);
      });
    },
  },
];

const DONE = { say: "Done." };
const DENIED = "This call of 'Bash' is not allowed while skill 'tea' is in use: its allowed-tools lack 'Bash(rm:*)'.";

const TEA = defineSkill({
  name: "tea",
  description: "Makes tea. Use when asked for tea.",
  body: "Look for the kettle.",
  allowedTools: ["Bash(ls:*)"],
});

/** Makes the model call a function `shell` with a command that the skill lists, and with another one. */
function callShell(
  adapter: ContractAdapter,
  allowedTools: SessionOptions["allowedTools"],
  expected: readonly string[],
) {
  const ran: string[] = [];
  const shell = {
    name: "shell",
    description: "Runs a command",
    inputSchema: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
    handler: ({ command }: { readonly command: string }) => {
      ran.push(command);
      return "The files.";
    },
  };
  const calls = ["ls -la", "rm kettle"].map((command) => ({ call: "shell", input: { command } }));
  const session = { allowedTools, toolNames: { Bash: "shell" } };
  const setup = { skills: [TEA], tools: [shell], session, script: [ACTIVATE_TEA, ...calls, DONE] };
  return converse(adapter, setup, async ({ agent, model }) => {
    assert.equal(await agent.say("Tea, please."), "Done.");
    for (const [index, text] of resultsIn(lastRequest(model)).slice(1).entries())
      assert.ok(text.includes(expected[index] ?? "missing"), text);
    assert.deepEqual(ran, allowedTools === "enforce" ? ["ls -la"] : ["ls -la", "rm kettle"]);
    const [event] = agent.session.ledger.entries.filter(
      ({ type }) => type === "tool-denied" || type === "tool-outside",
    );
    assert.equal(event?.type, allowedTools === "enforce" ? "tool-denied" : "tool-outside");
  });
}
