import fc from "fast-check";
import { expect, test } from "vitest";
import { readSkillMd } from "../../packages/skillset/src/core/manifest/parse.ts";
import { resolvePolicy } from "../../packages/skillset/src/core/manifest/policy.ts";
import { parseSkillMd } from "../../packages/skillset/src/index.ts";
import { withCpuTime } from "../cpu-time.ts";
import { report } from "./report.ts";

const policy = resolvePolicy();
const read = (frontmatter: string) => readSkillMd(`---\n${frontmatter}\n---\nBody\n`, { policy, folder: "a" });
/** A safety net against hangs, not a measurement: each document takes far less. */
const DEADLINE = 3_000;

const repeated = (unit: string, size = 16_000) => unit.repeat(Math.floor(size / unit.length));
const shapes = [
  "[",
  "{",
  "- ",
  "? ",
  "a: ",
  "a:\n ",
  "'",
  '"',
  "\\",
  "&a ",
  "*a ",
  "!!x ",
  "!<tag:x> ",
  "|\n",
  ">\n ",
  "#",
  "%",
  "@",
  "`",
  "\t",
  " ",
  ": ",
  ", ",
  "<<: ",
  "--- ",
  "... ",
  "\u2028",
  "\u0085",
  "é",
  "😀",
  "key%d: ",
  "- - ",
  "[a,",
  "{a:",
  "a: [",
  "x: &x [",
  "a: 'x",
  'a: "\\x',
];
const fixed = [
  "x: &a [1]\ny: *a",
  "a: &a [x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nd: &d [*c,*c]",
  "a: &a {b: *a}",
  "<<: {name: evil}",
  "base: &b {name: evil}\n<<: *b",
  "x: !!js/function 'function(){globalThis.pwned=1}'",
  "x: !!js/regexp /a/",
  "x: !!python/object/apply:os.system ['touch /tmp/x']",
  "x: !!binary aGk=",
  "x: !!timestamp 2001-01-01",
  "x: !!set {a, b}",
  "x: !!omap [a: 1]",
  "x: !custom y",
  "!!map {name: a}",
  "%YAML 1.1\n---\nname: a",
  "%TAG ! tag:x,2000:",
  `js: $\{globalThis.pwned=1}`,
  "name: a\n...\nname: b",
  "? [a, b]\n: c",
  "? {a: b}\n: c",
  "__proto__: {polluted: 1}",
  "a: {__proto__: {polluted: 1}}",
  "a: 0o777777777777777777777777",
  "a: .nan\nb: -.inf\nc: 1e999",
  `a: ${"9".repeat(10_000)}`,
  `${"k".repeat(15_000)}: v`,
  Array.from({ length: 2_500 }, (_, index) => `k${index}: v`).join("\n"),
  Array.from({ length: 3_000 }, () => "k: v").join("\n"),
];
const documents = [
  ...fixed,
  ...shapes.flatMap((shape) => [
    repeated(shape),
    `x: ${repeated(shape)}`,
    `name: a\ndescription: ${repeated(shape)}`,
    `metadata:\n  k: ${repeated(shape)}`,
  ]),
  ...shapes
    .slice(0, 20)
    .map((shape, index) => `${repeated(shape, 8_000)}${repeated(shapes[(index + 7) % shapes.length] ?? "", 8_000)}`),
];

test(`${documents.length} hostile documents do not crash, stall or run anything`, () => {
  expect(documents.length).toBeGreaterThanOrEqual(190);
  for (const document of documents) {
    const { result, cpuTime } = withCpuTime(() => read(document));
    const { manifest, problems } = result;
    expect(cpuTime).toBeLessThan(DEADLINE);
    expect(manifest !== undefined || problems.some(({ severity }) => severity === "error")).toBe(true);
  }
  expect(globalThis).not.toHaveProperty("pwned");
  expect({}).not.toHaveProperty("polluted");
  report("S2", { tried: "hostile documents", cases: documents.length, through: 0 });
});

test.each(["x: &a 1", "x: *a", "x: !!str 1", "x: !y 1"])("anchors, aliases and tags are not read: %s", (field) => {
  const { manifest, problems } = read(`name: a\ndescription: d\n${field}`);
  expect(problems.some(({ code }) => code === "frontmatter-repaired")).toBe(true);
  expect(typeof manifest?.extra.x).toBe("string");
  expect(() => parseSkillMd(`---\nname: a\ndescription: d\n${field}\n---\n`)).toThrow("not allowed");
});

test("a merge key is an ordinary unknown field", () => {
  const { manifest } = read("name: a\ndescription: d\n<<: {name: evil, license: evil}");
  expect(manifest).toMatchObject({ name: "a", extra: { "<<": { name: "evil", license: "evil" } } });
  expect(manifest?.license).toBeUndefined();
});

test("frontmatter with JavaScript is text, not code", async () => {
  const text = "---js\n{ name: (globalThis.pwned = 'yes') }\n---\n";
  expect(readSkillMd(text, { policy }).problems).toMatchObject([{ code: "frontmatter-missing" }]);
  expect(globalThis).not.toHaveProperty("pwned");
  // Naive: a widely used parser evaluates it.
  const naive = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  new Function(`return (${naive})`)();
  expect(globalThis).toHaveProperty("pwned", "yes");
  delete (globalThis as { pwned?: string }).pwned;
  report("S2", { tried: "frontmatter in JavaScript", cases: 1, through: 0, control: "evaluating frontmatter runs it" });
});

test("generated strings never crash the reader", () => {
  const cases = Number(process.env.CASES ?? 3_000);
  const piece = fc.oneof(
    fc.constantFrom(...shapes, "name", "description", "metadata", ":", "\n", "\n  ", "---", "|", ">", "true", "1"),
    fc.string({ unit: "binary", maxLength: 8 }),
  );
  const document = fc.oneof(
    { weight: 3, arbitrary: fc.array(piece, { maxLength: 40 }).map((parts) => parts.join("")) },
    fc.string({ unit: "binary", maxLength: 300 }),
  );
  let slowest = 0;
  fc.assert(
    fc.property(document, (source) => {
      const start = performance.now();
      const { manifest, problems } = read(source);
      slowest = Math.max(slowest, performance.now() - start);
      return manifest !== undefined || problems.some(({ severity }) => severity === "error");
    }),
    { numRuns: cases },
  );
  expect(slowest).toBeLessThan(DEADLINE);
  report("S2", { tried: "generated documents", cases, through: 0, note: `slowest ${slowest.toFixed(1)} ms` });
});
