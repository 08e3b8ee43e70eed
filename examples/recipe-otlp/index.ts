import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { startScriptedModel } from "@skillset/testing";

process.chdir(import.meta.dirname);
const scripted = await startScriptedModel([
  { call: "activate_skill", input: { name: "word-count" } },
  { call: "read_skill_file", input: { skill: "word-count", path: "references/rules.md" } },
  { call: "run_skill_script", input: { skill: "word-count", script: "scripts/count.sh", args: ["Tea is secret."] } },
  { call: "activate_skill", input: { name: "notes" } },
  { call: "notes__save", input: { note: "Tea is secret." } },
  { say: "It has 3 words." },
]);
const model = createOpenAICompatible({ name: "scripted", baseURL: `${scripted.url}/v1` }).chatModel("scripted");

// A receiver of OTLP over HTTP, in place of a service.
const received: { path: string | undefined; key: unknown; body: string }[] = [];
const receiver = createServer(async (request, response) => {
  received.push({ path: request.url, key: request.headers["x-api-key"], body: await text(request) });
  response.setHeader("content-type", "application/json").end("{}");
}).listen(0, "127.0.0.1");
await once(receiver, "listening");
process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
process.env.OTEL_EXPORTER_OTLP_HEADERS = "x-api-key=key-of-the-service";

// #region program
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { createSkillset, defineSkill } from "skillset";
import { createChat } from "skillset/ai-sdk";
import { openTelemetry } from "skillset/opentelemetry";

const exporter = new OTLPTraceExporter(); // reads OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS
const provider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });
trace.setGlobalTracerProvider(provider);
context.setGlobalContextManager(new AsyncLocalStorageContextManager()); // so that spans get parents and results

const notes = defineSkill({
  name: "notes",
  description: "Keeps notes.",
  body: "Call `save` with the note.",
  tools: [{ name: "save", description: "Saves a note", handler: () => "saved" }],
});
const skills = await createSkillset(["./skills", notes], { scripts: { consent: () => "once" } });
const session = { id: "chat-1", telemetry: await openTelemetry() }; // after the provider is registered
const chat = await createChat({ skills, request: { model }, session });

await trace.getTracer("my-agent").startActiveSpan("answer", async (span) => {
  console.log((await chat.send("How many words has 'Tea is secret.'? Note the text.")).text);
  span.end();
});
await provider.shutdown(); // sends the spans that are left
// #endregion

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}
interface Traces {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
}
assert.deepEqual(scripted.faults, []);
for (const { path, key } of received)
  assert.deepEqual({ path, key }, { path: "/v1/traces", key: "key-of-the-service" });
const spans = received.flatMap(({ body }) =>
  (JSON.parse(body) as Traces).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
);
const root = spans.find(({ name }) => name === "answer");
const ofSkills = spans.filter(({ name }) => name.startsWith("skill."));
const read = (span: Span | undefined, key: string) =>
  Object.values(span?.attributes.find((attribute) => attribute.key === key)?.value ?? {})[0];
assert.deepEqual(
  ofSkills.map((span) => [span.name, read(span, "skillset.skill.name")]),
  [
    ["skill.activate", "word-count"],
    ["skill.read", "word-count"],
    ["skill.run", "word-count"],
    ["skill.activate", "notes"],
    ["skill.call", "notes"],
  ],
);
for (const span of ofSkills) {
  assert.equal(span.traceId, root?.traceId);
  assert.equal(span.parentSpanId, root?.spanId);
  assert.equal(read(span, "skillset.session.id"), "chat-1");
}
const [activated, file, script, , call] = ofSkills;
assert.equal(read(activated, "skillset.activation.by"), "model");
assert.equal(Number(read(file, "skillset.file.bytes")), 32);
assert.equal(read(script, "skillset.script.outcome"), "exited");
assert.equal(read(call, "skillset.tool.name"), "save");
// Neither what the model wrote nor what the skills contain is sent.
const sent = received.map(({ body }) => body).join("\n");
for (const secret of [
  "secret",
  "spaces separate",
  "Count words",
  "rules.md",
  "count.sh",
  "saved",
  "key-of-the-service",
])
  assert(!sent.includes(secret), secret);
receiver.close();
await scripted.close();
