import assert from "node:assert/strict";
import { trace } from "@opentelemetry/api";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";

const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));

// #region program
import { createSkillset, defineSkill, usageOf } from "skillset";
import { openTelemetry } from "skillset/opentelemetry"; // npm install @opentelemetry/api

const telemetry = await openTelemetry(); // after your SDK has started
const notes = defineSkill({ name: "notes", description: "Takes notes.", body: "Write it down." });
const skills = await createSkillset([notes]);
const session = await skills.session({ telemetry, budget: { tokens: 20_000 } });

await session.activate("notes"); // a span `skill.activate`, as a child of the active span
console.log(usageOf(session.ledger.entries)); // [{ skill: "notes", activated: 1, tokens: 19, … }]
// #endregion
assert.deepEqual(
  exporter.getFinishedSpans().map(({ name }) => name),
  ["skill.activate"],
);
assert.equal(usageOf(session.ledger.entries)[0]?.activated, 1);
