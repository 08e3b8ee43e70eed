// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates are what is tested here.
import { expect, test } from "vitest";
import { dedent, fillTemplate } from "./fill-template.ts";

const fill = (template: string, params: object) => fillTemplate(template, params, "task");

test.each([
  ["$name", { name: "Ann" }, "Ann"],
  ["${name}s", { name: "Ann" }, "Anns"],
  ["$$name and $$", { name: "Ann" }, "$name and $"],
  ["$name_2", { name_2: 7 }, "7"],
  ["$a$b", { a: true, b: 3n }, "true3"],
  ["$näme", { n: "N" }, "Näme"],
  ["nothing", {}, "nothing"],
])("%j with %o is %j", (template, params, text) => {
  expect(fill(template, params)).toBe(text);
});

test("a value is inserted unchanged, and never filled again", () => {
  expect(fill("$a $b", { a: "$b $$ ${b} $& $1", b: "B" })).toBe("$b $$ ${b} $& $1 B");
});

test("an unknown name is an error that contains it and the section", () => {
  expect(() => fill("Hello $nmae", { name: "Ann" })).toThrow("Section 'task' requires a value for '$nmae'");
  expect(() => fill("Hello $nmae", {})).toThrow(expect.objectContaining({ code: "prompt-invalid", places: ["task"] }));
});

test.each(["$__proto__", "$constructor", "${toString}", "$hasOwnProperty"])(
  "%s is unknown: inherited properties are not parameters",
  (template) => {
    expect(() => fill(template, {})).toThrow("requires a value");
  },
);

test("an own property named __proto__ is a parameter", () => {
  expect(fill("$__proto__", JSON.parse('{"__proto__":"own"}'))).toBe("own");
});

test.each([
  ["costs $5", "line 1, column 7"],
  ["one\ntwo ${not closed", "line 2, column 5"],
  ["ends in $", "line 1, column 9"],
  ["${}", "line 1, column 1"],
])("%j has a '$' without a name", (template, place) => {
  expect(() => fill(template, {})).toThrow(`(${place}). Write '$$' for a dollar sign`);
});

test.each([
  [{ a: null }, "null"],
  [{ a: ["x"] }, "an array"],
  [{ a: {} }, "of type object"],
  [{ a: () => 1 }, "function"],
])("%o is not text", (params, kind) => {
  expect(() => fill("$a", params)).toThrow(`is ${kind === "function" ? "of type function" : kind}`);
});

test.each([
  ["\n    # A\n\n      - b\n    c\n    ", "# A\n\n  - b\nc"],
  ["one line", "one line"],
  ["\ta\n\t\tb", "a\n\tb"],
  ["  a\n\tb", "a\n\tb"],
  ["    a\r\n    b\r\n", "a\nb"],
  ["   \n\t\n", ""],
  ["    a\n  \n    b", "a\n\nb"],
  ["    a\n      \n    b", "a\n\nb"],
])("%j without its indentation is %j", (text, dedented) => {
  expect(dedent(text)).toBe(dedented);
});
