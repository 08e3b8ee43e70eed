import fc from "fast-check";
import { expect, test } from "vitest";
import { findMistake, repairFrontmatter } from "./repair.ts";
import { parseYaml, type YamlError } from "./yaml.ts";

const pieces = ["a", "b: c", "x:", "'", '"', "#", "|", ">", "[", "]", "{", "}", "- ", "  ", ": ", "\n", "\n  "];
const piece = fc.constantFrom(...pieces, "\nk: ", "k: ", "é", "...", "---", "? ", "&a ", "*a", "!t ");
const frontmatter = fc.array(piece, { maxLength: 14 }).map((parts) => `first: 1\n${parts.join("")}`);
const runs = { numRuns: Number(process.env.CASES ?? 5_000) * 2 };

test("text reported as an unquoted colon or an unclosed quote is never valid YAML", () => {
  let found = 0;
  fc.assert(
    fc.property(frontmatter, (source) => {
      if (findMistake(source) === -1) return;
      found++;
      expect(() => parseYaml(source)).toThrow();
    }),
    runs,
  );
  expect(found).toBeGreaterThan(50);
});

test.each(['a: "b c', 'a: "b c\n', "a: 'b\n", 'x: 1\na: "b: #c\nd: e\n', "a: 'b\n# c\nd: e"])(
  "the unclosed quote in %j is found where the YAML parser finds it",
  (source) => {
    const failure = (): number => {
      try {
        parseYaml(source);
        return -1;
      } catch (error) {
        return (error as YamlError).at;
      }
    };
    expect(findMistake(source)).toBe(failure());
  },
);

test("a repaired frontmatter keeps its lines, and is a mapping", () => {
  fc.assert(
    fc.property(frontmatter, (source) => {
      const repair = repairFrontmatter(source);
      expect(repair?.source.split("\n").length).toBe(source.split("\n").length);
      for (const { line } of repair?.repairs ?? []) expect(line).toBeLessThan(source.split("\n").length);
    }),
    runs,
  );
});
