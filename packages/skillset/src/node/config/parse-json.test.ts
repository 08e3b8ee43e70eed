import fc from "fast-check";
import { expect, test } from "vitest";
import { toValue } from "../../core/manifest/yaml-node.ts";
import { parseJson } from "./parse-json.ts";

test("the output of JSON.stringify is parsed to the same value", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, "\t", 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(JSON.stringify(toValue(parseJson(text)))).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
});

test("text that JSON.parse rejects is rejected", () => {
  const pieces = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"a"',
    '"',
    "1",
    "01",
    "true",
    "nul",
    " ",
    "'",
    "-",
    "\\",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
      const text = parts.join("");
      let isJson = true;
      try {
        JSON.parse(text);
      } catch {
        isJson = false;
      }
      const isTwice = /"a".*"a"/.test(text) && text.includes("{");
      if (isTwice && isJson) return;
      if (isJson) expect(() => parseJson(text)).not.toThrow();
      else expect(() => parseJson(text)).toThrow();
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['{\n  "a": 1,\n}', 12, `a key in double quotes is missing: '}' is here`],
  ["{ 'a': 1 }", 2, `a key in double quotes is missing: ''' is here`],
  ['{ "a" 1 }', 6, "':' is missing: '1' is here"],
  ['{ "a": 1 "b": 2 }', 9, `',' or '}' is missing: '"b"' is here`],
  ['{ "a": [1', 9, "',' or ']' is missing: the file ends here"],
  ["", 0, "a value is missing: the file ends here"],
  ["{} {}", 3, "the end of the file is missing: '{' is here"],
  ['{ "a": 1, "a": 2 }', 10, '"a" is defined twice'],
  ["[".repeat(40), 33, "it is nested too deeply"],
])("the position of the mistake in %j is reported", (text, at, message) => {
  expect(() => parseJson(text)).toThrow(expect.objectContaining({ at, message }));
});
