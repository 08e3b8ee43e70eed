import { expect, test } from "vitest";
import { createSkillset } from "../../index.ts";
import { checkOptions, type OptionTable } from "./check-options.ts";
import { checkKind, describeValue } from "./describe-value.ts";

interface Options {
  readonly enabled?: boolean;
  readonly signal?: AbortSignal;
}
const OPTIONS: OptionTable<Options> = { enabled: true, signal: true };
const skillset = await createSkillset([]);
const messageOf = (check: () => void): string => {
  try {
    check();
    return "";
  } catch (error) {
    expect(error).toMatchObject({ name: "SkillError", code: "option-invalid" });
    return (error as Error).message;
  }
};

test("options that exist are accepted, and so are no options", () => {
  checkOptions("load()", { enabled: true, signal: undefined }, OPTIONS);
  checkOptions("load()", { signal: AbortSignal.abort() }, OPTIONS);
  checkOptions("load()", undefined, OPTIONS);
});

test.each<[unknown, string]>([
  [{ enable: true }, "load() has no option 'enable'. Did you mean 'enabled'?"],
  [{ colour: 1 }, "load() has no option 'colour'. Known options: enabled, signal."],
  [{ on: 1 }, "load() has no option 'on'. Use 'enabled'."],
  [{ toString: 1 }, "load() has no option 'toString'. Known options: enabled, signal."],
  [null, "load() takes an object with options, not null."],
  [5, "load() takes an object with options, not the number 5."],
  [["a"], "load() takes an object with options, not an array."],
  [Promise.resolve({}), "load() takes an object with options, not a promise: add 'await'."],
  [skillset, "load() takes an object with options, not a skillset."],
  [await skillset.session(), "load() takes an object with options, not a session."],
  [
    { signal: new AbortController() },
    "load() takes an AbortSignal as 'signal', not an AbortController. Pass its 'signal'.",
  ],
  [{ signal: 5_000 }, "load() takes an AbortSignal as 'signal', not the number 5000."],
])("the options %o are refused with a readable message", (options, message) => {
  expect(messageOf(() => checkOptions("load()", options, OPTIONS, { on: "Use 'enabled'." }))).toBe(message);
});

test("a table without one of the options does not compile", () => {
  // @ts-expect-error: 'signal' is missing.
  const table: OptionTable<Options> = { enabled: true };
  // @ts-expect-error: 'other' is no option.
  const other: OptionTable<Options> = { enabled: true, signal: true, other: true };
  expect([table, other]).toHaveLength(2);
});

test("a value is described without its content", async () => {
  const values = [undefined, skillset, await skillset.session(), new Map(), {}, () => {}, 1n, Object.create(null)];
  expect(values.map(describeValue)).toEqual([
    "undefined",
    "a skillset",
    "a session",
    "a Map",
    "an object",
    "a function",
    "the bigint 1",
    "an object",
  ]);
  expect(describeValue("x".repeat(100))).toBe(`the text "${"x".repeat(60)}…"`);
});

test("a wrong session or skillset is answered with how to get one", async () => {
  const skillset = await createSkillset([]);
  const session = await skillset.session();
  checkKind("'session'", "session", session);
  checkKind("'skills'", "skillset", skillset);
  const of = (kind: "session" | "skillset", value: unknown) => messageOf(() => checkKind(`'${kind}'`, kind, value));
  expect(of("session", skillset)).toBe(
    "'session' must be a session, not a skillset. Create one with 'await skillset.session()'.",
  );
  expect(of("session", skillset.session())).toBe("'session' must be a session, not a promise: add 'await'.");
  expect(of("skillset", session)).toContain("not a session. Create one with 'await createSkillset(…)'.");
  expect(of("skillset", ["./skills"])).toContain("not an array. Create one");
});
