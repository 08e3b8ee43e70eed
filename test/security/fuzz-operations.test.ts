import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createOperations, type ModelTool, type OperationResult } from "../../packages/skillset/src/adapter/index.ts";
import { createSkillset, defineSkill, type Session } from "../../packages/skillset/src/index.ts";
import { skillMd, temporaryFolder } from "../temporary-folder.ts";
import { report } from "./report.ts";

const CASES = Math.min(10_000, Number(process.env.CASES ?? 2_000));
/** A hang is a failure; nothing here measures speed. */
const DEADLINE = 20_000;

const SKILLS = ["pdf", "box", "hidden"] as const;
const TOOLS = ["echo", "typed", "fails", "counts"] as const;
const PATHS = ["SKILL.md", "references/a.md", "logo.png", "out", "references", "../secret.txt", "/etc/passwd", ""];
const ODD = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "\0", "\n", "\ud83d", "‮", "."];

const text = fc.oneof(
  fc.constantFrom(...SKILLS, ...TOOLS, ...PATHS, ...ODD),
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.string({ maxLength: 30 }),
  fc
    .tuple(fc.constantFrom(...ODD, "x", "../", "a/", "😀"), fc.constantFrom(700, 5_000, 100_000))
    .map(([part, times]) => part.repeat(times)),
);
const json = fc.oneof(text, fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>);
const anything = fc.anything({
  key: text,
  maxDepth: 3,
  withBigInt: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withObjectString: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
});
const hostile = fc.constantFrom<() => unknown>(
  () => revoked(),
  () => ({
    get name() {
      throw new Error("read me not");
    },
    get skill() {
      throw "read me not";
    },
  }),
  () => JSON.parse('{"__proto__":{"name":"pdf","skill":"pdf"}}'),
  () => Object.create({ name: "pdf", skill: "pdf", path: "SKILL.md" }),
  () => Object.assign(() => {}, { skill: "pdf", path: "SKILL.md" }),
  () => new Proxy({}, { get: (_, key) => (key === "then" ? undefined : "pdf") }),
  () => ({ skill: "box", tool: "echo", input: 1n }),
  () => undefined,
);
/** Almost valid calls: the real fields, half of them with real values. */
const nearly = fc
  .record(
    {
      name: fc.oneof(fc.constantFrom(...SKILLS), json),
      skill: fc.oneof(fc.constantFrom(...SKILLS), json),
      path: fc.oneof(fc.constantFrom(...PATHS), json),
      tool: fc.oneof(fc.constantFrom(...TOOLS), json),
      input: fc.oneof(json, fc.record({ count: json, text: json }, { requiredKeys: [] }), anything),
      query: fc.oneof(fc.constantFrom("pdf", "has tools", " "), json),
      limit: fc.oneof(fc.integer(), json),
      extra: json,
    },
    { requiredKeys: [] },
  )
  .map((fields) => ({ ...fields }));

const anyInput: fc.Arbitrary<() => unknown> = fc.oneof(
  { arbitrary: nearly.map((value) => () => value), weight: 5 },
  { arbitrary: anything.map((value) => () => value), weight: 2 },
  { arbitrary: json.map((value) => () => value), weight: 1 },
  { arbitrary: hostile, weight: 1 },
);

test("an operation returns a valid result for any input", { timeout: 600_000 }, async () => {
  const { root, session, operations } = await setUp();
  const seen = { errors: 0, successes: 0, thrown: 0 };
  await fc.assert(
    fc.asyncProperty(fc.nat(), anyInput, fc.integer({ min: 0, max: 9 }), async (which, make, chance) => {
      const operation = operations[which % operations.length] as ModelTool;
      const signal = chance === 0 ? AbortSignal.abort() : AbortSignal.timeout(DEADLINE);
      const input = make();
      let result: OperationResult;
      try {
        result = await operation.execute(input, { signal });
      } catch (error) {
        seen.thrown++;
        throw new Error(`${operation.name} threw for ${inspect(input)}`, { cause: error });
      }
      expect(signal.aborted && chance !== 0, "it hung").toBe(false);
      expectClean(result, root);
      seen[result.isError ? "errors" : "successes"]++;
    }),
    { numRuns: CASES, endOnFailure: true },
  );
  report("S15", {
    tried: "fuzzed operations",
    cases: CASES,
    through: seen.thrown,
    note: `${seen.successes} succeeded, ${seen.errors} returned an error`,
  });
  expect(seen.successes).toBeGreaterThan(CASES / 50);
  expect(seen.errors).toBeGreaterThan(CASES / 4);
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect((await session.activate("pdf")).text).toContain("# pdf");
  expect((await session.call("box", "echo", 7)).text).toBe("7");
});

function expectClean(result: OperationResult, root: string): void {
  expect(typeof result.text).toBe("string");
  expect(result.text.includes(root)).toBe(false);
  if (!result.isError) {
    expect(JSON.stringify(result.data).includes(root)).toBe(false);
    return;
  }
  expect(typeof result.code).toBe("string");
  expect(result.text).not.toBe("");
  expect(result.text.length).toBeLessThanOrEqual(500);
  expect(result.text).not.toMatch(/[\r\n]/);
  expect(result.text).not.toMatch(/\bat .+:\d+:\d+|node:internal|node_modules/);
  expect(result.text.isWellFormed(), JSON.stringify(result.text)).toBe(true);
}

async function setUp(): Promise<{ root: string; session: Session; operations: readonly ModelTool[] }> {
  const root = temporaryFolder({
    "secret.txt": "secret",
    "skills/pdf/SKILL.md": skillMd("pdf"),
    "skills/pdf/references/a.md": "A",
    "skills/pdf/logo.png": new Uint8Array([137, 80, 78, 71, 0, 1]),
    "skills/hidden/SKILL.md": skillMd("hidden").replace("---\n\n", "disable-model-invocation: true\n---\n\n"),
  });
  symlinkSync(join(root, "secret.txt"), join(root, "skills/pdf/out"));
  let calls = 0;
  const typed = { type: "object", properties: { count: { type: "integer" } }, required: ["count"] };
  const box = defineSkill({
    name: "box",
    description: "Has tools.",
    body: "# box",
    tools: [
      { name: "echo", description: "Returns its input.", handler: (input) => input },
      { name: "typed", description: "Wants a count.", inputSchema: typed, handler: ({ count }) => count },
      {
        name: "fails",
        description: "Fails.",
        handler: (input) => {
          throw new Error(`cannot open ${root}/secret.txt`, { cause: input });
        },
      },
      { name: "counts", description: "Counts its calls.", handler: () => ++calls },
    ],
  });
  const skills = await createSkillset([join(root, "skills"), box]);
  const session = await skills.session({ limits: { toolTimeout: DEADLINE } });
  const include = [
    "activate_skill",
    "read_skill_file",
    "call_skill_tool",
    "search_skills",
    "deactivate_skill",
  ] as const;
  const aliases = { read_skill_file: { name: "skills_read_resource", arguments: { skill: "name" } } };
  return {
    root,
    session,
    operations: [
      ...createOperations(session, { include, fixedList: true }),
      ...createOperations(session, { include, aliases }),
    ],
  };
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
