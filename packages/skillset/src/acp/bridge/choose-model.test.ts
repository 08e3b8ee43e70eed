import { agent as agentApp, RequestError, type SessionConfigOption } from "@agentclientprotocol/sdk";
import { expect, onTestFinished, test } from "vitest";
import { connectAgent } from "../index.ts";

const MODE: SessionConfigOption = {
  ...{ type: "select", id: "mode", name: "Mode", category: "mode", currentValue: "ask" },
  options: [{ value: "ask", name: "Ask" }],
};
const MODEL: SessionConfigOption = {
  ...{ type: "select", id: "llm", name: "Model", category: "model", currentValue: "small" },
  options: [
    { value: "small", name: "Small" },
    { value: "large", name: "The Large One" },
  ],
};
const GROUPED = { ...MODEL, options: [{ group: "a", name: "A", options: MODEL.options }] } as SessionConfigOption;
const OLDER = {
  currentModelId: "small",
  availableModels: [
    { modelId: "small", name: "Small" },
    { modelId: "large", name: "The Large One" },
  ],
};

/** An agent whose sessions offer these models. Returns the requests with which it is asked to switch. */
async function start(offered: object, model: string, isRefusing = false) {
  const switches: unknown[] = [];
  let sessions = 0;
  const onSwitch = (params: unknown) => {
    if (isRefusing) throw RequestError.invalidParams({}, "No credit left");
    switches.push(params);
    return { configOptions: [] };
  };
  const app = agentApp()
    .onRequest("initialize", () => ({ protocolVersion: 1, agentInfo: { name: "tester", version: "1" } }))
    .onRequest("session/new", () => {
      sessions += 1;
      return { sessionId: String(sessions), ...offered };
    })
    .onRequest("session/set_config_option", ({ params }) => onSwitch(params))
    .onRequest(
      "session/set_model",
      (params: unknown) => params,
      ({ params }) => onSwitch(params),
    )
    .onRequest("session/prompt", () => ({ stopReason: "end_turn" }));
  const agent = await connectAgent(app, { model, bridge: "none" });
  onTestFinished(() => agent.close());
  return { agent, switches };
}

test.each([
  ["a configuration option", { configOptions: [MODE, MODEL] }, { sessionId: "1", configId: "llm", value: "large" }],
  ["an option in groups", { configOptions: [GROUPED] }, { sessionId: "1", configId: "llm", value: "large" }],
  ["the older list of models", { models: OLDER }, { sessionId: "1", modelId: "large" }],
])("with %s, the model is set by its ID or its name", async (_, offered, asked) => {
  for (const name of ["large", "the large one"]) {
    const { agent, switches } = await start(offered, name);
    await agent.think().text("Go.").run();
    expect(switches).toEqual([asked]);
  }
});

test("every session gets the model, and a session that has it is left alone", async () => {
  const { agent, switches } = await start({ configOptions: [MODEL] }, "large");
  for (const _ of [1, 2]) await agent.think().text("Go.").run();
  const chat = agent.session();
  for (const _ of [1, 2]) await chat.think().text("Go.").run();
  expect(switches).toMatchObject([{ sessionId: "1" }, { sessionId: "2" }, { sessionId: "3" }]);
  const same = await start({ configOptions: [MODEL] }, "small");
  await same.agent.think().text("Go.").run();
  expect(same.switches).toEqual([]);
});

test.each([
  [
    "that the agent does not have",
    { configOptions: [MODEL] },
    "The agent 'tester' has no model 'huge'. Its models: small, large.",
  ],
  ["that the agent does not have, by its older list,", { models: OLDER }, "Its models: small, large."],
  [
    "of an agent that offers no choice",
    { configOptions: [MODE] },
    "does not let clients choose a model. Remove 'model'",
  ],
])("a model %s is an error, also for the next prompt of a conversation", async (_, offered, message) => {
  const { agent } = await start(offered, "huge");
  const chat = agent.session();
  for (const run of [agent.think(), chat.think(), chat.think()])
    await expect(run.text("Go.").run()).rejects.toMatchObject({
      code: "option-invalid",
      message: expect.stringContaining(message),
    });
});

test.each([{ models: {} }, { models: { availableModels: [null] } }, { configOptions: [{ ...MODEL, options: 3 }] }])(
  "an invalid list is an error: %j",
  async (offered) => {
    const { agent } = await start(offered, "large");
    await expect(agent.think().text("Go.").run()).rejects.toMatchObject({
      code: "agent-failed",
      message: "The agent 'tester' sent an invalid list of models.",
    });
  },
);

test("of many models, the error lists the first", async () => {
  const options = Array.from({ length: 25 }, (_, index) => ({ value: `m${index}`, name: `M ${index}` }));
  const { agent } = await start({ configOptions: [{ ...MODEL, options }] }, "huge");
  await expect(agent.think().text("Go.").run()).rejects.toThrow(/m18, m19, and 5 more\.$/);
});

test("a model that the agent refuses to use is an error with its reason", async () => {
  const { agent } = await start({ configOptions: [MODEL] }, "large", true);
  await expect(agent.think().text("Go.").run()).rejects.toMatchObject({
    code: "agent-failed",
    message: expect.stringMatching(/refused 'session\/set_config_option': .*No credit left/),
  });
});

test("models without names are found by their IDs, and an unknown one is reported", async () => {
  const offered = { configOptions: [{ ...MODEL, options: [{ value: "small" }, { value: "large" }] }] };
  const { agent } = await start(offered, "huge");
  await expect(agent.think().text("Go.").run()).rejects.toThrow("has no model 'huge'. Its models: small, large.");
  const { agent: other, switches } = await start(offered, "large");
  await other.think().text("Go.").run();
  expect(switches).toEqual([{ sessionId: "1", configId: "llm", value: "large" }]);
});
