import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { context, diag, metrics, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { describe, expect, onTestFinished, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { createOperations } from "../core/in-session.ts";
import type { SessionOptions } from "../core/session/options.ts";
import { usageOf } from "../core/session/usage.ts";
import { defineSkill } from "../core/skill/define-skill.ts";
import { createSkillset } from "../node/load/create-skillset.ts";
import { type OpenTelemetryOptions, openTelemetry } from "./index.ts";

/** The real SDK, with everything in memory. */
function startSdk() {
  const spans = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  return {
    tracerProvider,
    meterProvider,
    spans: () => spans.getFinishedSpans(),
    async points() {
      await meterProvider.forceFlush();
      const scopes = exporter.getMetrics().at(-1)?.scopeMetrics ?? [];
      const found = scopes.flatMap((scope) => scope.metrics);
      return Object.fromEntries(found.map(({ descriptor, dataPoints }) => [descriptor.name, [...dataPoints]]));
    },
  };
}

/** A program with a registered SDK, as most have. */
function registerSdk() {
  const sdk = startSdk();
  trace.setGlobalTracerProvider(sdk.tracerProvider);
  metrics.setGlobalMeterProvider(sdk.meterProvider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  onTestFinished(async () => {
    trace.disable();
    metrics.disable();
    context.disable();
    await sdk.meterProvider.shutdown();
  });
  return sdk;
}

const invoices = defineSkill({
  name: "invoices",
  description: "Explains invoices.",
  body: "Use `find`.",
  tools: [
    {
      name: "find",
      description: "Finds one",
      handler: async (id) => {
        await sleep(1);
        trace.getTracer("handler").startSpan("database query").end();
        return { id, paid: true };
      },
    },
    { name: "fail", description: "Fails", handler: () => Promise.reject(new Error("no such invoice")) },
  ],
});

async function open(given: OpenTelemetryOptions = {}, options: SessionOptions = {}) {
  const root = temporaryFolder({
    "pdf/SKILL.md": skillMd("pdf", "Reads PDFs.", "# PDF\n"),
    "pdf/references/a.md": "Reference text",
  });
  const skills = await createSkillset([root, invoices]);
  return skills.session({ id: "chat-1", ...options, telemetry: await openTelemetry(given) });
}

const only = <Item>(items: readonly Item[]): Item => {
  expect(items).toHaveLength(1);
  return items[0] as Item;
};
const named = (spans: readonly ReadableSpan[], name: string): ReadableSpan =>
  only(spans.filter((span) => span.name === name));

describe("spans", () => {
  test("of an activation contain who requested it and its tokens", async () => {
    const { spans } = registerSdk();
    const session = await open({}, { countTokens: (text) => text.length });
    const { text } = await session.activate("pdf", { by: "user" });
    const span = only(spans());
    expect(span).toMatchObject({
      name: "skill.activate",
      kind: SpanKind.INTERNAL,
      parentSpanContext: undefined,
      status: { code: SpanStatusCode.UNSET },
      instrumentationScope: { name: "skillset" },
      events: [],
    });
    expect(span.attributes).toEqual({
      "skillset.session.id": "chat-1",
      "skillset.skill.name": "pdf",
      "skillset.activation.by": "user",
      "skillset.activation.tokens": text.length,
      "skillset.activation.bytes": Buffer.byteLength(text),
      "skillset.activation.truncated": false,
      "skillset.activation.repeated": false,
    });
  });

  test("of a read contain the file's size, and of a list only the skill", async () => {
    const { spans } = registerSdk();
    const session = await open({}, { limits: { resourceBytes: 9 } });
    await session.files("pdf").read("references/a.md");
    await session.files("pdf").list("references");
    const about = { "skillset.session.id": "chat-1", "skillset.skill.name": "pdf" };
    expect(named(spans(), "skill.read").attributes).toEqual({
      ...about,
      "skillset.file.bytes": 14,
      "skillset.file.truncated": true,
    });
    expect(named(spans(), "skill.list").attributes).toEqual(about);
  });

  test("of a call name the tool, and are the parents of the handler's spans", async () => {
    const { spans } = registerSdk();
    const session = await open();
    await session.call("invoices", "find", "7");
    const call = named(spans(), "skill.call");
    expect(call.attributes).toEqual({
      "skillset.session.id": "chat-1",
      "skillset.skill.name": "invoices",
      "skillset.tool.name": "find",
      "skillset.tool.outcome": "succeeded",
    });
    const query = named(spans(), "database query");
    expect(query.parentSpanContext?.spanId).toBe(call.spanContext().spanId);
    expect(query.spanContext().traceId).toBe(call.spanContext().traceId);
  });

  test("are children of the program's own span, which is not changed", async () => {
    const { spans } = registerSdk();
    const session = await open();
    await trace.getTracer("app").startActiveSpan("turn", async (turn) => {
      await session.turn([]);
      await session.activate("pdf");
      await session.deactivate("pdf");
      turn.end();
    });
    const turn = named(spans(), "turn");
    expect(turn.attributes).toEqual({});
    expect(named(spans(), "skill.activate").parentSpanContext?.spanId).toBe(turn.spanContext().spanId);
  });

  test.each([
    ["a missing file", "resource-not-found", "pdf", (session) => session.files("pdf").read("references/b.md")],
    [
      "a path that leaves the skill",
      "resource-outside-skill",
      "pdf",
      (session) => session.files("pdf").read("../../x"),
    ],
    ["a failing tool", "tool-failed", "invoices", (session) => session.call("invoices", "fail", {})],
    ["an unknown tool", "tool-not-found", "invoices", (session) => session.call("invoices", "made-up", {})],
    ["an unknown skill", "skill-not-found", undefined, (session) => session.activate("made-up")],
    [
      "a cancelled activation of an unknown skill",
      "unexpected",
      undefined,
      (session) => session.activate("made-up", { signal: AbortSignal.abort() }),
    ],
  ] satisfies [string, string, string | undefined, (session: Awaited<ReturnType<typeof open>>) => Promise<unknown>][])(
    "of %s contain %s, and no made-up name",
    async (_, code, name, work) => {
      const { spans } = registerSdk();
      const session = await open();
      await expect(work(session)).rejects.toThrow();
      const { attributes, status, events } = only(spans());
      expect(attributes).toMatchObject({
        "error.type": code,
        ...(name === undefined ? { "skillset.skill.unknown": true } : { "skillset.skill.name": name }),
      });
      expect(status).toEqual({ code: SpanStatusCode.ERROR });
      expect(events).toEqual([]);
      expect(JSON.stringify(attributes)).not.toContain("made-up");
    },
  );

  test("of simultaneous operations never mix", async () => {
    const { spans } = registerSdk();
    const indexes = Array.from({ length: 50 }, (_, index) => index);
    const skills = indexes.map((index) =>
      defineSkill({
        name: `skill-${index}`,
        description: "One of many.",
        body: "x".repeat(index),
        tools: [
          {
            name: `tool-${index}`,
            description: "Waits",
            handler: async () => {
              await sleep((index * 7) % 11);
              trace.getTracer("handler").startSpan(`work-${index}`).end();
              if (index % 5 === 0) throw new Error("no");
            },
          },
        ],
      }),
    );
    const telemetry = await openTelemetry();
    const set = await createSkillset(skills);
    const sessions = await Promise.all(
      indexes.map((index) => set.session({ id: `chat-${index % 3}`, telemetry, countTokens: (text) => text.length })),
    );
    const lengths = await Promise.all(
      sessions.map(async (session, index) => {
        const [activation] = await Promise.all([
          session.activate(`skill-${index}`),
          session.call(`skill-${index}`, `tool-${index}`, {}).catch(() => {}),
        ]);
        return activation.text.length;
      }),
    );
    expect(new Set(lengths).size).toBeGreaterThan(40);
    expect(spans()).toHaveLength(150);
    for (const index of indexes) {
      const own = spans().filter(({ attributes }) => attributes["skillset.skill.name"] === `skill-${index}`);
      expect(own).toHaveLength(2);
      expect(named(own, "skill.activate").attributes).toMatchObject({
        "skillset.session.id": `chat-${index % 3}`,
        "skillset.activation.tokens": lengths[index],
      });
      const call = named(own, "skill.call");
      expect(call.attributes).toMatchObject({
        "skillset.tool.name": `tool-${index}`,
        "skillset.tool.outcome": index % 5 === 0 ? "failed" : "succeeded",
      });
      expect(call.attributes["skillset.activation.tokens"]).toBeUndefined();
      expect(named(spans(), `work-${index}`).parentSpanContext?.spanId).toBe(call.spanContext().spanId);
    }
  });

  test("go to the given tracer and meter; without a context manager they have only the attributes from the start", async () => {
    const { spans, points, tracerProvider, meterProvider } = startSdk();
    const session = await open({ tracer: tracerProvider.getTracer("own"), meter: meterProvider.getMeter("own") });
    await session.activate("pdf");
    expect(only(spans())).toMatchObject({ name: "skill.activate", instrumentationScope: { name: "own" } });
    expect(only(spans()).attributes).toEqual({ "skillset.session.id": "chat-1", "skillset.skill.name": "pdf" });
    expect(Object.keys(await points())).toContain("skillset.activations");
    await meterProvider.shutdown();
  });
});

describe("metrics", () => {
  test("count operations by skill and outcome, and measure tokens and seconds", async () => {
    const { points } = registerSdk();
    const session = await open({}, { countTokens: (text) => text.length });
    const { tokens } = (await session.turn([])).catalog;
    const { text } = await session.activate("pdf");
    await session.activate("made-up").catch(() => {});
    await session.files("pdf").read("references/a.md");
    await session.files("pdf").read("references/a.md");
    await session
      .files("pdf")
      .read("references/b.md")
      .catch(() => {});
    await session.files("pdf").list();
    await session.call("invoices", "find", "7");
    const all = await points();
    const counts = (name: string) => all[name]?.map(({ attributes, value }) => ({ ...attributes, value }));
    const pdf = { "skillset.skill.name": "pdf" };
    const unknown = { "skillset.skill.unknown": true };
    expect(counts("skillset.activations")).toEqual([
      { ...pdf, "skillset.outcome": "succeeded", value: 1 },
      { ...unknown, "skillset.outcome": "failed", value: 1 },
    ]);
    expect(counts("skillset.reads")).toEqual([
      { ...pdf, "skillset.outcome": "succeeded", value: 2 },
      { ...pdf, "skillset.outcome": "failed", value: 1 },
    ]);
    expect(counts("skillset.calls")).toEqual([
      { "skillset.skill.name": "invoices", "skillset.outcome": "succeeded", value: 1 },
    ]);
    expect(counts("skillset.errors")).toEqual([
      { ...unknown, "skillset.operation": "activate", "error.type": "skill-not-found", value: 1 },
      { ...pdf, "skillset.operation": "read", "error.type": "resource-not-found", value: 1 },
    ]);
    const [catalog] = all["skillset.catalog.tokens"] ?? [];
    expect(catalog).toMatchObject({ attributes: {}, value: { count: 1, sum: tokens } });
    const [activation] = all["skillset.activation.tokens"] ?? [];
    expect(activation).toMatchObject({ attributes: pdf, value: { count: 1, sum: text.length } });
    const durations = all["skillset.operation.duration"] ?? [];
    expect(durations.map(({ attributes }) => Object.values(attributes).join(" "))).toEqual([
      "pdf activate succeeded",
      "true activate failed",
      "pdf read succeeded",
      "pdf read failed",
      "pdf list succeeded",
      "invoices call succeeded",
    ]);
    expect(durations.every(({ value }) => (value as { sum: number }).sum < 60)).toBe(true);
  });

  test("measure the tokens of suggestions", async () => {
    const { points } = registerSdk();
    const session = await open({}, { countTokens: (text) => text.length });
    const message = { role: "user", text: "Explain my invoices, please." } as const;
    await session.turn([message], { suggest: true, catalog: { budget: { tokens: 150 } } });
    const [entry] = session.ledger.entries.filter(({ type }) => type === "skills-suggested");
    const [suggestion] = (await points())["skillset.suggestion.tokens"] ?? [];
    expect(entry).toMatchObject({ skills: ["invoices"] });
    expect(suggestion).toMatchObject({ attributes: {}, value: { count: 1 } });
  });

  test("do not grow with names that a model makes up", async () => {
    const { points } = registerSdk();
    const session = await open();
    for (let index = 0; index < 100; index++) await session.activate(`made-up-${index}`).catch(() => {});
    for (const found of Object.values(await points())) expect(found).toHaveLength(1);
  });
});

test("a search has a span with the number of results, and a counter, without a skill", async () => {
  const { spans, points } = registerSdk();
  const session = await open();
  const search = createOperations(session, { fixedList: true }).find(({ id }) => id === "search_skills");
  await search?.execute({ query: "invoices" });
  const about = { "skillset.session.id": "chat-1" };
  expect(named(spans(), "skill.search").attributes).toEqual({ ...about, "skillset.search.results": 1 });
  const { attributes, value } = only((await points())["skillset.searches"] ?? []);
  expect({ attributes, value }).toEqual({ attributes: { "skillset.outcome": "succeeded" }, value: 1 });
});

describe("the content that users and models write", () => {
  const PARTS = [
    "description",
    "body",
    "file",
    "path",
    "name",
    "arguments",
    "input",
    "output",
    "error",
    "tool",
    "query",
  ] as const;
  const marker = (part: (typeof PARTS)[number]) => `MARKER-${part}-`;

  /** Sends each marker to a session, and returns everything that was exported as one text. */
  async function exportAll(options: OpenTelemetryOptions): Promise<string> {
    const { spans, points } = registerSdk();
    const root = temporaryFolder({
      "stored/SKILL.md": skillMd("stored", marker("description"), marker("body")),
      [`stored/${marker("path")}.md`]: marker("file"),
    });
    const inline = defineSkill({
      name: "inline",
      description: marker("description"),
      body: `${marker("body")} $ARGUMENTS`,
      tools: [
        { name: "give", description: marker("description"), handler: () => ({ found: marker("output") }) },
        { name: "fail", description: "Fails", handler: () => Promise.reject(new Error(marker("error"))) },
        {
          name: "strict",
          description: "Refuses",
          inputSchema: { type: "object", additionalProperties: false },
          handler: () => "never",
        },
      ],
    });
    const session = await (await createSkillset([root, inline])).session({ telemetry: await openTelemetry(options) });
    await session.turn([]);
    await session.activate("stored");
    await session.activate("inline", { by: "user", arguments: marker("arguments") });
    await session.files("stored").read(`${marker("path")}.md`);
    await session.files("stored").list();
    await session.call("inline", "give", { text: marker("input") });
    const search = createOperations(session, { fixedList: true }).find(({ id }) => id === "search_skills");
    await search?.execute({ query: marker("query") });
    const failing = [
      session.activate(marker("name")),
      session.activate(marker("name"), { signal: AbortSignal.abort(new Error(marker("error"))) }),
      session.files(marker("name")).read(marker("path")),
      session.files("stored").read(marker("path")),
      session.files("stored").list(`../${marker("path")}`),
      session.call("inline", marker("tool"), marker("input")),
      session.call("inline", "fail", marker("input")),
      session.call("inline", "strict", { [marker("input")]: 1 }),
    ];
    for (const { status } of await Promise.allSettled(failing)) expect(status).toBe("rejected");
    expect(spans()).toHaveLength(14);
    const exported = spans().map(({ name, attributes, status, events, links, resource }) => {
      return { name, attributes, status, events, links, resource: resource.attributes };
    });
    return JSON.stringify([exported, await points()]);
  }

  test("is not recorded by default", async () => {
    const exported = await exportAll({});
    expect(exported).toContain("skill.activate");
    expect(exported).not.toContain("MARKER");
  });

  test("is recorded with `content`, except for the skills' own texts", async () => {
    const exported = await exportAll({ content: true });
    const found = PARTS.filter((part) => exported.includes(marker(part)));
    expect(found).toEqual(["path", "name", "arguments", "input", "output", "error", "tool", "query"]);
  });

  test("may be a value that is not JSON", async () => {
    const { spans } = registerSdk();
    const session = await open({ content: true });
    await session.call("invoices", "find", 7n).catch(() => {});
    expect(named(spans(), "skill.call").attributes["skillset.tool.input"]).toBe("[not JSON]");
  });
});

describe("without an SDK", () => {
  test("a session does the same, and nothing keeps it in memory", async () => {
    const telemetry = await openTelemetry();
    const skills = await createSkillset([invoices]);
    const plain = await skills.session();
    const followed = await skills.session({ telemetry });
    expect(await followed.activate("invoices")).toEqual(await plain.activate("invoices"));
    expect(await followed.call("invoices", "find", "7")).toEqual(await plain.call("invoices", "find", "7"));
    await expect(followed.call("invoices", "fail", {})).rejects.toMatchObject({ code: "tool-failed" });
    const listeners = process.eventNames();

    const use = async (): Promise<WeakRef<object>> => {
      const session = await skills.session({ telemetry });
      for (let index = 0; index < 100; index++) await session.activate("invoices");
      return new WeakRef(session);
    };
    const session = await use();
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    for (let round = 0; round < 20 && session.deref() !== undefined; round++) {
      await sleep(5);
      collect();
    }
    expect(session.deref()).toBeUndefined();
    expect(process.eventNames()).toEqual(listeners);
  });
});

describe("a tracer or a meter that throws", () => {
  const fail = (): never => {
    throw new Error("The exporter broke.");
  };
  const broken = new Proxy({}, { get: () => fail }) as never;

  test.each<[string, OpenTelemetryOptions]>([
    ["the meter", { meter: { createCounter: () => broken, createHistogram: () => broken } as never }],
    ["the tracer", { tracer: broken }],
    ["every span", { tracer: { startSpan: () => broken } as never }],
  ])("%s: the operation runs once, and its result or error is returned", async (_what, given) => {
    const session = await open({ ...given, content: true });
    expect((await session.call("invoices", "find", 7)).value).toEqual({ id: 7, paid: true });
    await expect(session.call("invoices", "fail", {})).rejects.toMatchObject({ code: "tool-failed" });
    expect((await session.activate("pdf")).body).toContain("# PDF");
    expect(usageOf(session.ledger.entries)).toMatchObject([
      { skill: "invoices", called: 2 },
      { skill: "pdf", activated: 1 },
    ]);
  });

  test("the meter: the span still ends, and OpenTelemetry's log reports the failure", async () => {
    const sdk = registerSdk();
    const logged: unknown[][] = [];
    const error = (...words: unknown[]) => void logged.push(words);
    diag.setLogger({ error, warn: () => {}, info: () => {}, debug: () => {}, verbose: () => {} });
    onTestFinished(() => diag.disable());
    const session = await open({ meter: { createCounter: () => broken, createHistogram: () => broken } as never });
    await session.call("invoices", "find", 7);
    expect(named(sdk.spans(), "skill.call").attributes).toMatchObject({ "skillset.tool.outcome": "succeeded" });
    expect(logged.flat()).toContain("skillset: telemetry could not be recorded");
  });
});

describe("without the package @opentelemetry/api", () => {
  /** Runs a program for which the package is not installed. */
  function run(program: string): string {
    const hooks = `
      import { registerHooks } from "node:module";
      registerHooks({
        resolve(name, context, next) {
          const parentURL = name === "@opentelemetry/api" ? "file:///nowhere/program.js" : context.parentURL;
          return next(name, { ...context, parentURL });
        },
      });`;
    const script = `
      import { createSkillset, defineSkill } from "./index.ts";
      import { openTelemetry } from "./opentelemetry/index.ts";
      const skills = await createSkillset([defineSkill({ name: "notes", description: "Takes notes.", body: "Note it." })]);
      ${program}`;
    const cwd = new URL("..", import.meta.url);
    const preload = `data:text/javascript,${encodeURIComponent(hooks)}`;
    const args = ["--import", preload, "--input-type=module", "--eval", script];
    return execFileSync(process.execPath, args, { cwd, encoding: "utf8" }).trim();
  }

  test("sessions work, because they never load it", () => {
    expect(run(`console.log((await (await skills.session()).activate("notes")).body);`)).toBe("Note it.");
  });

  test("openTelemetry throws with the command to install it", () => {
    const printed = run("await openTelemetry().catch(({ code, message }) => console.log(code, message));");
    expect(printed).toBe(
      `peer-missing The package '@opentelemetry/api' is not installed. Run "npm install @opentelemetry/api@1".`,
    );
  });
});

describe("a script", () => {
  const FILES = {
    "tea/SKILL.md": skillMd("tea", "Makes tea."),
    "tea/scripts/brew.sh": "echo brewing; exit 3\n",
  };

  async function run(answer: "once" | "deny", content: boolean) {
    const { spans, points } = registerSdk();
    const scripts = { runner: "subprocess", consent: () => answer } as const;
    const skills = await createSkillset([temporaryFolder(FILES)], { scripts });
    const session = await skills.session({ id: "s", telemetry: await openTelemetry({ content }) });
    await session.scripts.run("tea", "scripts/brew.sh", { args: ["green"] });
    const span = spans().find(({ name }) => name === "skill.run");
    return { attributes: span?.attributes, runs: (await points())["skillset.runs"] };
  }

  test("installing its skill's packages has a span with the outcome", async () => {
    const { spans } = registerSdk();
    const files = { ...FILES, "tea/requirements.txt": "words\n" };
    const skills = await createSkillset([temporaryFolder(files)], { scripts: { runner: "subprocess" } });
    const session = await skills.session({ id: "s", telemetry: await openTelemetry() });
    await session.scripts.prepare("tea");
    expect(spans().find(({ name }) => name === "skill.prepare")?.attributes).toEqual({
      "skillset.session.id": "s",
      "skillset.skill.name": "tea",
      "skillset.packages.outcome": "refused",
      "skillset.packages.count": 1,
      "skillset.script.level": "subprocess",
    });
  });

  test("has a span with its outcome, its sandbox and the consent, and is counted", async () => {
    const { attributes, runs } = await run("once", false);
    expect(attributes).toEqual({
      "skillset.session.id": "s",
      "skillset.skill.name": "tea",
      "skillset.script.consent": "once",
      "skillset.script.level": "subprocess",
      "skillset.script.outcome": "exited",
      "skillset.script.exit_code": 3,
    });
    expect(runs).toMatchObject([{ value: 1, attributes: { "skillset.outcome": "succeeded" } }]);
  });

  test("that is denied has no exit code", async () => {
    const { attributes } = await run("deny", false);
    expect(attributes).toMatchObject({ "skillset.script.consent": "deny", "skillset.script.outcome": "refused" });
    expect(attributes).not.toHaveProperty("skillset.script.exit_code");
  });

  test("has its path, arguments and output only if content is recorded", async () => {
    expect((await run("once", true)).attributes).toMatchObject({
      "skillset.script.path": "scripts/brew.sh",
      "skillset.script.args": '["green"]',
      "skillset.script.output": expect.stringContaining("brewing"),
    });
  });
});
