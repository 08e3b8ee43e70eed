import { Agent, type AgentOptions, OpenAIProvider, Runner, tool } from "@openai/agents";
import { OpenAI } from "openai";
import { describe, expect, onTestFinished, test } from "vitest";
import { type ScriptStep, startScriptedModel } from "../../../testing/src/index.ts";
import { createSkillset, defineSkill } from "../index.ts";
import { type AgentSkills, withSkills } from "./index.ts";

const tea = defineSkill({ name: "tea", description: "Makes tea.", body: "Steep it." });
const BANK = "You are a bank.";
const STEPS: readonly ScriptStep[] = [{ call: "activate_skill", input: { name: "tea" } }, { say: "Hi." }];
const skillset = await createSkillset([tea]);

async function open(steps = STEPS) {
  const scripted = await startScriptedModel(steps);
  onTestFinished(() => scripted.close());
  const openAIClient = new OpenAI({ apiKey: "x", baseURL: `${scripted.url}/v1`, maxRetries: 0 });
  const modelProvider = new OpenAIProvider({ openAIClient, useResponses: true });
  return { runner: new Runner({ modelProvider, tracingDisabled: true }), requests: scripted.requests };
}

const turnWith = async (request: object = {}) =>
  withSkills({ session: await skillset.session(), request: { input: "Hi.", ...request } });

type Settings = (turn: Omit<AgentSkills, "input" | "callModelInputFilter">) => Partial<AgentOptions>;

describe("the system prompt and the catalog reach the model, each once", () => {
  test.each<[string, object, Settings]>([
    ["in the request", { instructions: BANK }, (turn) => turn],
    ["of the agent, before what is spread", {}, (turn) => ({ instructions: BANK, ...turn })],
    ["of the agent, after what is spread", {}, (turn) => ({ ...turn, instructions: BANK })],
    ["of the agent, with others in the request", { instructions: "Other." }, (t) => ({ ...t, instructions: BANK })],
    ["of the agent, as a function", {}, (turn) => ({ ...turn, instructions: () => BANK })],
  ])("with instructions %s", async (_where, request, settings) => {
    const { runner, requests } = await open();
    const { input, callModelInputFilter, ...turn } = await turnWith(request);
    const agent = new Agent({ name: "a", model: "m", ...settings(turn) });
    await runner.run(agent, input, { callModelInputFilter });
    expect(requests).toHaveLength(2);
    for (const { system = "" } of requests) {
      expect(system.startsWith(`${BANK}\n\n<`)).toBe(true);
      expect(system.split(BANK)).toHaveLength(2);
      expect(system.split("<available_skills>")).toHaveLength(2);
    }
  });

  test("and without instructions, the catalog is alone", async () => {
    const { runner, requests } = await open();
    const { input, callModelInputFilter, ...turn } = await turnWith();
    await runner.run(new Agent({ name: "a", model: "m", ...turn }), input, { callModelInputFilter });
    for (const { system = "" } of requests) expect(system.startsWith("<available_skills>")).toBe(true);
  });
});

test("an agent without the functions of skills gets no catalog", async () => {
  const { runner, requests } = await open([{ call: "transfer_to_other", input: {} }, { say: "Hi." }]);
  const { input, callModelInputFilter, ...turn } = await turnWith();
  const other = new Agent({ name: "other", model: "m", instructions: BANK });
  const agent = Agent.create({ name: "a", model: "m", ...turn, handoffs: [other] });
  await runner.run(agent, input, { callModelInputFilter });
  expect(requests.map(({ system }) => system?.includes("<available_skills>"))).toEqual([true, false]);
});

test("a run that lacks the catalog, because it has no filter, ends with an error that names the filter", async () => {
  for (const settings of [{}, { instructions: BANK }]) {
    const { runner } = await open();
    const { input, callModelInputFilter: _, ...turn } = await turnWith();
    const agent = new Agent({ name: "a", model: "m", ...turn, ...settings });
    await expect(runner.run(agent, input)).rejects.toThrow("Pass 'callModelInputFilter' of withSkills() to run()");
  }
});

describe("tools in the request that the SDK would not call are refused", () => {
  const lookup = tool({
    name: "lookup",
    description: "Looks up.",
    parameters: { type: "object", properties: {}, required: [], additionalProperties: true },
    strict: false,
    execute: () => "",
  });

  test.each<[string, unknown, string]>([
    ["an object", { lookup }, "'request.tools' of withSkills() must be a list of tools, not an object."],
    [
      "a tool of defineTool()",
      [{ name: "x", description: "x", handler: () => 1 }],
      "Tool 'x' in 'request.tools' has a 'handler'. Pass tools from defineTool() in the option 'tools'.",
    ],
    [
      "settings without tool()",
      [{ name: "x", parameters: {}, execute: () => 1 }],
      "Tool 'x' in 'request.tools' must be created with tool() of @openai/agents.",
    ],
    ["nothing", [undefined], "Tool '0' in 'request.tools' must be an object, not undefined."],
  ])("%s", async (_what, tools, message) => {
    await expect(turnWith({ tools })).rejects.toThrow(message);
  });

  test("and those of the SDK are accepted", async () => {
    const { tools } = await turnWith({ tools: [lookup, { type: "hosted_tool", name: "web_search" }] });
    expect(tools.map(({ name }) => name)).toContain("lookup");
  });
});
