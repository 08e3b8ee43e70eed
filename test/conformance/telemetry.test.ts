import { context } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSkillset, defineSkill, usageOf } from "../../packages/skillset/src/index.ts";
import { openTelemetry } from "../../packages/skillset/src/opentelemetry/index.ts";
import { subprocess } from "../../packages/skillset/src/scripts/index.ts";
import { type ContractAdapter, startScriptedModel } from "../../packages/testing/src/index.ts";
import { skillMd, temporaryFolder } from "../temporary-folder.ts";
import { adapters } from "./adapters/all.ts";

const SECRET = "swordfish";

const tea = defineSkill({
  name: "tea",
  description: "Makes tea.",
  body: `Steep it. ${SECRET}`,
  tools: [{ name: "brew", description: "Brews", handler: ({ cups }) => `${cups} cups with ${SECRET}` }],
});

/** An agent, and a model that uses everything that a skill can have. */
async function start(adapter: ContractAdapter) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const folder = temporaryFolder({
    "words/SKILL.md": skillMd("words", "Counts words.", `# Words ${SECRET}\n`),
    "words/references/a.md": SECRET,
    "words/scripts/count.sh": `#!/bin/sh\necho "$1 ${SECRET}"\n`,
  });
  const skills = await createSkillset([folder, tea], { scripts: { runner: subprocess(), consent: () => "once" } });
  const call = adapter.toolCall?.("tea", "brew", { cups: SECRET });
  const script = { skill: "words", script: "scripts/count.sh", args: [SECRET] };
  const model = await startScriptedModel(
    [
      { call: "activate_skill", input: { name: "words" } },
      { call: "read_skill_file", input: { skill: "words", path: "references/a.md" } },
      { call: "run_skill_script", input: script },
      { call: "activate_skill", input: { name: "tea" } },
      call ?? { call: "tea__brew", input: { cups: SECRET } },
      { say: "Done." },
    ],
    { isSide: () => false },
  );
  const tracer = provider.getTracer("test");
  const telemetry = await openTelemetry({ tracer });
  const agent = await adapter.start({ skills, modelUrl: model.url, session: { telemetry } });
  onTestFinished(async () => {
    await agent.close();
    await model.close();
    context.disable();
  });
  return { agent, model, tracer, spans: () => exporter.getFinishedSpans() };
}

describe.for(adapters)("$name", (adapter) => {
  test("records usage, and a span for each activation, read, call and script, without their content", async () => {
    const { agent, model, tracer, spans } = await start(adapter);
    const answer = await tracer.startActiveSpan("conversation", async (span) => {
      const text = await agent.say("Count, then make tea.");
      span.end();
      return text;
    });
    expect(model.faults).toEqual([]);
    expect(answer).toBe("Done.");
    const recorded = spans().filter(({ name }) => name.startsWith("skill."));
    expect(recorded.map(({ name, attributes }) => `${name} ${attributes["skillset.skill.name"]}`)).toEqual([
      "skill.activate words",
      "skill.read words",
      "skill.run words",
      "skill.activate tea",
      "skill.call tea",
    ]);
    const attributes = Object.assign({}, ...recorded.map((span) => span.attributes));
    expect(attributes).toMatchObject({
      "skillset.session.id": agent.session.id,
      "skillset.activation.by": "model",
      "skillset.file.bytes": SECRET.length,
      "skillset.script.outcome": "exited",
      "skillset.script.exit_code": 0,
      "skillset.tool.name": "brew",
      "skillset.tool.outcome": "succeeded",
    });
    expect(
      JSON.stringify(recorded.map(({ name, attributes, status, events }) => [name, attributes, status, events])),
    ).not.toContain(SECRET);
    const root = spans().find(({ name }) => name === "conversation");
    for (const span of recorded) expect(span.spanContext().traceId).toBe(root?.spanContext().traceId);
    expect(usageOf(agent.session.ledger.entries)).toMatchObject([
      { skill: "words", activated: 1, read: 1, ran: 1 },
      { skill: "tea", activated: 1, called: 1 },
    ]);
  });
});

test("a server over HTTP observes every request", async () => {
  const { createSkillsServer } = await import("../../packages/skillset/src/mcp/index.ts");
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const telemetry = await openTelemetry({ tracer: provider.getTracer("test") });
  const server = createSkillsServer(await createSkillset([tea]), { telemetry });
  onTestFinished(() => server.close());
  const params = { name: "activate_skill", arguments: { name: "tea" } };
  const response = await server.fetch(
    new Request("http://localhost/mcp", {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    }),
  );
  expect(await response.text()).toContain("Steep it.");
  expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(["skill.activate"]);
});
