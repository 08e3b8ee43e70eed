import fc from "fast-check";
import { expect, test } from "vitest";
import { parse as parseWithYaml } from "yaml";
import { trimBody } from "../manifest/frontmatter.ts";
import { parseSkillMd, readSkillMd } from "../manifest/parse.ts";
import { resolvePolicy } from "../manifest/policy.ts";
import { parseYaml } from "../manifest/yaml.ts";
import { toValue } from "../manifest/yaml-node.ts";
import { defineSkill } from "./define-skill.ts";
import { toSkillMd } from "./serialise.ts";

test("an ordinary skill is written the way a person would", () => {
  const text = toSkillMd({
    name: "pdf",
    description: "Reads PDFs.",
    license: "MIT",
    allowedTools: ["Read", "Write"],
    metadata: { version: "1.0" },
    body: "\n# PDF\n",
  });
  expect(text).toBe(
    '---\nname: pdf\ndescription: Reads PDFs.\nlicense: MIT\nallowed-tools: Read Write\nmetadata:\n  version: "1.0"\n---\n\n# PDF\n',
  );
});

const nasty = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "yes",
    "null",
    "~",
    "1.0",
    "0x1f",
    "a: b",
    "- a",
    "#x",
    "'",
    '"',
    "\\",
    "\u0085",
    "\u2028",
    "\ufeff",
    "\t",
    "a\nb",
    " lead",
    "trail ",
    "{a}",
    "[b]",
    "|",
    ">",
    "---",
    "...",
    "2001-01-01",
    "<<",
    "=",
    "!t",
    "&a",
    "*a",
    "@x",
    "`x`",
    "%",
  ),
);
const text = nasty.filter((value) => value.isWellFormed() && !value.includes("\0"));

test("any text in any field is read back to the same value by two YAML parsers", () => {
  const source = fc.record({
    description: text,
    license: text,
    metadata: fc.dictionary(
      text.filter((key) => key !== "__proto__"),
      text,
      { maxKeys: 4 },
    ),
  });
  fc.assert(
    fc.property(source, (fields) => {
      const written = toSkillMd({ name: "a", ...fields, body: "b" });
      const frontmatter = written.slice(4, written.indexOf("\n---\n", 3) + 1);
      const expected = {
        name: "a",
        description: fields.description,
        license: fields.license,
        ...(Object.keys(fields.metadata).length > 0 && { metadata: fields.metadata }),
      };
      expect(JSON.parse(JSON.stringify(toValue(parseYaml(frontmatter))))).toEqual(JSON.parse(JSON.stringify(expected)));
      expect(parseWithYaml(frontmatter)).toEqual(expected);
    }),
    { numRuns: Number(process.env.CASES ?? 2_000) },
  );
});

test("a skill that was read, written and read again is the same skill", () => {
  const visible = fc
    .stringMatching(/^[a-zA-Z:#"'\\ .,é技]{1,60}$/)
    .filter((value) => value.trim() === value && value !== "");
  const body = fc
    .string({ unit: "grapheme-ascii", maxLength: 80 })
    .map((value) => trimBody(value.replaceAll("\r", "")));
  fc.assert(
    fc.property(visible, visible, body, (description, value, instructions) => {
      const written = toSkillMd({
        name: "a",
        description,
        metadata: { key: value },
        extra: { "argument-hint": value, list: [1, "x", { y: null }] },
        body: instructions,
      });
      const { manifest, body: read } = readSkillMd(written, { policy: resolvePolicy({ unknownFields: "ignore" }) });
      expect(manifest).toMatchObject({ name: "a", description, metadata: { key: value } });
      expect(JSON.parse(JSON.stringify(manifest?.extra))).toEqual({
        "argument-hint": value,
        list: [1, "x", { y: null }],
      });
      expect(read).toBe(instructions);
    }),
    { numRuns: Number(process.env.CASES ?? 2_000) },
  );
});

test("who may invoke a skill is written too", () => {
  const hidden = defineSkill({
    name: "a",
    description: "b",
    body: "c",
    disableModelInvocation: true,
    userInvocable: false,
  });
  expect(parseSkillMd(toSkillMd(hidden))).toMatchObject({ modelInvocable: false, userInvocable: false });
});
