import { afterEach, expect, test } from "vitest";
import { emptyDatabase, openChat } from "../testing/open-chat.ts";
import { Metrics } from "./metrics.ts";

afterEach(emptyDatabase);

interface Series {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

/** Parses the Prometheus text format, version 0.0.4, and throws on syntax errors. */
function parseMetrics(text: string): readonly Series[] {
  if (!text.endsWith("\n")) throw new Error("The last line has no line break.");
  const types = new Map<string, string>();
  const helped = new Set<string>();
  const finished = new Set<string>();
  const found = new Set<string>();
  let current = "";
  const enter = (name: string): void => {
    if (name === current) return;
    if (finished.has(name)) throw new Error(`The lines of '${name}' are not together.`);
    finished.add(current);
    current = name;
  };
  return text
    .slice(0, -1)
    .split("\n")
    .flatMap((line) => {
      const help = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) ((?:[^\\\n]|\\\\|\\n)*)$/.exec(line);
      const type = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram|summary|untyped)$/.exec(line);
      if (help?.[1] !== undefined) {
        enter(help[1]);
        if (helped.has(help[1])) throw new Error(`Help twice: ${line}`);
        helped.add(help[1]);
        return [];
      }
      if (type?.[1] !== undefined) {
        enter(type[1]);
        if (types.has(type[1])) throw new Error(`A type twice: ${line}`);
        types.set(type[1], type[2] ?? "");
        return [];
      }
      const sample =
        /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\\\|\\"|\\n)*",?)*)\})? ([+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)|NaN)(?: -?\d+)?$/.exec(
          line,
        );
      if (sample === null) throw new Error(`Not a valid line: ${line}`);
      const [, name = "", inner = "", value = ""] = sample;
      enter(name);
      if (!types.has(name)) throw new Error(`No type before: ${line}`);
      if (types.get(name) === "counter" && !name.endsWith("_total"))
        throw new Error(`A counter without _total: ${line}`);
      if (found.has(`${name}{${inner}}`)) throw new Error(`A series twice: ${line}`);
      found.add(`${name}{${inner}}`);
      const labels = [...inner.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
        ([, key = "", text = ""]) => [key, text.replace(/\\(.)/g, (_, one) => (one === "n" ? "\n" : one))] as const,
      );
      return [{ name, labels: new Map(labels), value: Number(value) }];
    });
}

test("metrics are in the Prometheus text format, without unbounded labels", async () => {
  const chat = await openChat({ script: [{ say: "Hi." }] });
  const id = await chat.create();
  await chat.say(id, "Hello");
  for (let chats = 0; chats < 20; chats++) await chat.call("GET", `/api/chats/${crypto.randomUUID()}`);
  const response = await chat.call("GET", "/metrics");
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const series = parseMetrics(await response.text());
  expect(series.length).toBeLessThan(30);
  const figure = (wanted: string) => series.find(({ name }) => name === wanted)?.value;
  expect(figure("chat_answers_total")).toBe(1);
  expect(figure("process_resident_memory_bytes")).toBeGreaterThan(1e6);
  expect(figure("process_start_time_seconds")).toBeCloseTo(Date.now() / 1000 - process.uptime(), -1);
});

test("label values are escaped and can be read back", () => {
  const metrics = new Metrics();
  const hostile = 'a"b\\c\nd\\n{}=,# HELP';
  metrics.count("chat_answers_total", { outcome: hostile, other: "" });
  metrics.count("chat_answers_total", { outcome: "done" }, 0.25);
  const [first, second] = parseMetrics(metrics.text());
  expect(first?.labels.get("outcome")).toBe(hostile);
  expect(second?.value).toBe(0.25);
});

test("the parser of this test refuses invalid input", () => {
  const wrong = [
    "a 1\n",
    "# TYPE a counter\na 1\n",
    "# TYPE a gauge\na x\n",
    "# TYPE a gauge\na 1",
    "# TYPE a gauge\na 1\na 1\n",
    '# TYPE a gauge\na{b="c} 1\n',
    "# TYPE a-b gauge\n",
    "# TYPE a gauge\n# TYPE b gauge\na 1\n",
  ];
  for (const text of wrong) expect(() => parseMetrics(text), text).toThrow();
});
