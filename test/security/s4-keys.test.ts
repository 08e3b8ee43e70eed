import { expect, test } from "vitest";
import { readSkillMd } from "../../packages/skillset/src/core/manifest/parse.ts";
import { resolvePolicy } from "../../packages/skillset/src/core/manifest/policy.ts";
import { report } from "./report.ts";

const keys = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "__defineGetter__",
  "__lookupSetter__",
  "isPrototypeOf",
  "then",
];
const values = [
  "evil",
  "{polluted: evil}",
  '{"polluted": "evil"}',
  "{prototype: {polluted: evil}}",
  "[{polluted: evil}]",
];
const shapes: ((key: string, value: string) => string)[] = [
  (key, value) => `${key}: ${value}`,
  (key, value) => `"${key}": ${value}`,
  (key, value) => `'${key}': ${value}`,
  (key, value) => `metadata:\n  ${key}: ${value}`,
  (key, value) => `metadata:\n  "${key}": ${value}`,
  (key, value) => `metadata: {${key}: ${value}}`,
  (key, value) => `metadata: {"${key}": ${value}}`,
  (key, value) => `x: {y: {${key}: ${value}}}`,
  (key, value) => `x:\n  - ${key}: ${value}`,
  (key, value) => `? ${key}\n: ${value}`,
];
const attacks = keys.flatMap((key) =>
  values.flatMap((value) => shapes.map((shape) => `name: a\ndescription: d\n${shape(key, value)}`)),
);

test(`${attacks.length} key attacks reach no prototype and no other field`, () => {
  expect(attacks).toHaveLength(500);
  let control = 0;
  for (const attack of attacks) {
    const { manifest } = readSkillMd(`---\n${attack}\n---\n`, { policy: resolvePolicy(), folder: "a" });
    expect(manifest).toMatchObject({ name: "a", description: "d" });
    for (const bag of [manifest?.metadata, manifest?.extra]) {
      for (const key of ["toString", "constructor", "__proto__", "hasOwnProperty"]) {
        expect(Object.hasOwn(bag ?? {}, key) || !(key in (bag ?? {}))).toBe(true);
      }
      expect(bag).not.toHaveProperty("polluted");
    }
    expect({}).not.toHaveProperty("polluted");
    if (pollutesWhenMerged(attack)) control++;
  }
  expect(control).toBeGreaterThan(0);
  report("S4", {
    tried: "hostile keys",
    cases: attacks.length,
    through: 0,
    control: `assigning the keys pollutes a prototype ${control} times`,
  });
});

/** Naive: assigns the keys one by one to an ordinary object. */
function pollutesWhenMerged(attack: string): boolean {
  const match = /"?(__proto__)"?: \{"?polluted"?: "?evil"?\}/.exec(attack);
  if (match === null) return false;
  const target: Record<string, unknown> = {};
  target[match[1] as string] = { polluted: "evil" };
  return "polluted" in target;
}

test.each([
  "name: a\ndescription: d\nmetadata:\n  name: b\n  description: e\n  license: f",
  "name: a\ndescription: d\nx: {name: b, description: e, license: f}",
])("nested names do not override the skill's own: %j", (frontmatter) => {
  const { manifest } = readSkillMd(`---\n${frontmatter}\n---\n`, { policy: resolvePolicy(), folder: "a" });
  expect(manifest).toMatchObject({ name: "a", description: "d" });
  expect(manifest?.license).toBeUndefined();
});
