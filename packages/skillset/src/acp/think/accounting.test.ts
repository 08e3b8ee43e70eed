import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { describe, expect, onTestFinished, test } from "vitest";
import { type ScriptStep, startScriptedAgent } from "../../../../testing/src/index.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { openTelemetry } from "../../opentelemetry/index.ts";
import { type ConnectAgentOptions, connectAgent } from "../index.ts";

const TEA = { name: "tea", description: "Makes tea.", body: "Steep for three minutes." };
const CAKE = { name: "cake", description: "Bakes cakes.", body: `Bake it. ${"Wait a minute. ".repeat(200)}` };
const activate = (name: string): ScriptStep => ({ call: "activate_skill", input: { name } });
const DONE = { say: "Done." };

async function start(script: readonly ScriptStep[], options: ConnectAgentOptions = {}) {
  const scripted = await startScriptedAgent(script);
  const agent = await connectAgent(scripted.app, options);
  onTestFinished(async () => {
    await agent.close();
    await scripted.close();
  });
  return { agent, scripted };
}

/** Telemetry with the real SDK, and the names and parents of its spans. */
async function startSpans() {
  const spans = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  onTestFinished(() => context.disable());
  const tracer = provider.getTracer("test");
  return {
    telemetry: await openTelemetry({ tracer }),
    names: () => spans.getFinishedSpans().map(({ name }) => name),
    spans,
    tracer,
  };
}

describe("usage", () => {
  test("of a run has the tokens of each skill that it used, and the skills that it only listed", async () => {
    const { agent } = await start([activate("tea"), DONE]);
    const stream = agent.think().skill(TEA).skill(CAKE).text("Tea.").stream();
    expect(await stream.result).toBe("Done.");
    const [tea, cake] = stream.usage;
    expect(tea).toMatchObject({ skill: "tea", offered: 1, activated: 1, failed: 0, tokens: expect.any(Number) });
    expect(tea?.tokens).toBeGreaterThan(5);
    expect(cake).toMatchObject({ skill: "cake", offered: 1, activated: 0, tokens: 0 });
  });

  test("of a prompt in a conversation has that prompt only, and of the conversation all of them", async () => {
    const { agent } = await start([activate("tea"), DONE, activate("cake"), DONE]);
    const chat = agent.session();
    await chat.think().skill(TEA).skill(CAKE).text("Tea.").run();
    const second = chat.think().skill(TEA).skill(CAKE).text("Cake.").stream();
    await second.result;
    const activated = (usage: typeof chat.usage) => usage.filter((one) => one.activated > 0).map(({ skill }) => skill);
    expect(activated(second.usage)).toEqual(["cake"]);
    expect(activated(chat.usage)).toEqual(["tea", "cake"]);
  });
});

describe("a budget", () => {
  test.each([
    ["of connectAgent", { budget: { tokens: 100 } }, undefined],
    ["of the builder, instead of the agent's,", { budget: { tokens: 10_000 } }, { tokens: 100 }],
  ])("%s limits a single run, and the next run starts with a whole one", async (_, options, budget) => {
    const { agent, scripted } = await start([activate("tea"), activate("cake"), DONE], options);
    const asked = agent.think().skill(TEA).skill(CAKE).text("Go.");
    for (const run of [asked, asked]) {
      const stream = (budget === undefined ? run : run.budget(budget)).stream();
      await stream.result;
      expect(stream.usage).toMatchObject([
        { skill: "tea", activated: 1 },
        { skill: "cake", activated: 0, failed: 1 },
      ]);
    }
    const refusals = scripted.requests.map(({ toolResults }) => toolResults.at(-1)?.text ?? "");
    expect(refusals.filter((text) => /'cake' takes about \d+ tokens, but only \d+ of 100/.test(text))).toHaveLength(2);
  });

  test("of a conversation is spent over all of its prompts", async () => {
    const { agent } = await start([activate("tea"), DONE, activate("cake"), DONE]);
    const chat = agent.session({ budget: { tokens: 100 } });
    await chat.think().skill(TEA).text("Tea.").run();
    await chat.think().skill(CAKE).text("Cake.").run();
    expect(chat.usage).toMatchObject([
      { skill: "tea", activated: 1 },
      { skill: "cake", activated: 0 },
    ]);
  });
});

describe("telemetry", () => {
  test("of connectAgent follows every run, with the span of its caller as the parent", async () => {
    const { telemetry, tracer, spans } = await startSpans();
    const { agent } = await start([activate("tea"), DONE, activate("tea"), DONE], { telemetry });
    const chat = agent.session();
    const parents = [agent, chat, chat].map((one, index) => ({ one, span: tracer.startSpan(`request ${index}`) }));
    for (const { one, span } of parents)
      await context.with(trace.setSpan(context.active(), span), () => one.think().skill(TEA).text("Tea.").run());
    const activations = spans.getFinishedSpans().filter(({ name }) => name === "skill.activate");
    expect(activations[0]?.attributes).toMatchObject({
      "skillset.skill.name": "tea",
      "skillset.activation.by": "model",
    });
    expect(activations.map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual(
      parents.map(({ span }) => span.spanContext().spanId),
    );
  });

  test("of the builder follows that run only, and of a conversation all of its prompts", async () => {
    const one = await startSpans();
    const { agent } = await start([activate("tea"), DONE, activate("tea"), DONE]);
    const asked = agent.think().skill(TEA).text("Tea.");
    await asked.telemetry(one.telemetry).run();
    await asked.run();
    expect(one.names()).toEqual(["skill.activate"]);
    const all = await startSpans();
    const chat = agent.session({ telemetry: all.telemetry });
    for (const _ of [1, 2]) await chat.think().skill(TEA).text("Tea.").run();
    expect(all.names()).toEqual(["skill.activate", "skill.activate"]);
  });
});

describe("a mistake is reported where it is made:", () => {
  test("a budget below zero, and telemetry that was not awaited", async () => {
    const { agent, scripted } = await start([]);
    const invalid = expect.objectContaining({ code: "option-invalid" });
    expect(() => agent.think().budget({ tokens: -1 })).toThrow(invalid);
    expect(() => agent.session({ budget: { tokens: Number.NaN } })).toThrow(invalid);
    expect(() => agent.think().telemetry(openTelemetry() as never)).toThrow(/await openTelemetry/);
    await expect(connectAgent(scripted.app, { budget: { tokens: -1 } })).rejects.toEqual(invalid);
  });

  test("a budget for one prompt of a conversation, or beside a session that has its own", async () => {
    const { agent } = await start([]);
    expect(() => agent.session().think().budget({ tokens: 1 })).toThrow("Pass 'budget' to agent.session().");
    const skills = await (await createSkillset([])).session();
    expect(() => agent.session({ skills, budget: { tokens: 1 } })).toThrow("'skillset.session()'");
  });
});
