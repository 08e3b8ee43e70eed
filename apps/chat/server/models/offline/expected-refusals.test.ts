import { expect, test } from "vitest";
import { describeRefusals, expectedRefusals, spelledPaths } from "./expected-refusals.ts";

const BODY =
  "| path | refusal |\n| --- | --- |\n| `../a` | not allowed |\n| `/b` | must be relative |\n\n| path | use |\n| --- | --- |\n| `c` | x |\n";

test("only tables of paths and refusals are read, and a path that is not refused fails the verdict", () => {
  const expected = expectedRefusals(BODY);
  expect(expected.map(({ path }) => path)).toEqual(["../a", "/b"]);
  const read = (path: string, isError: boolean, text: string) => ({
    id: path,
    tool: "skills_read_resource",
    input: { path },
    isOfThisTurn: true,
    result: { isError, text },
  });
  const all = describeRefusals(expected, [
    read("../a", true, "This is not allowed."),
    read("/b", true, "Path must be relative."),
  ]);
  expect(all.at(-1)).toBe("Verdict: passed, 2 of 2 refused.");
  expect(
    describeRefusals(expected, [read("../a", false, "secret"), read("/b", true, "Path must be relative.")]).at(-1),
  ).toBe("Verdict: failed, 1 of 2 refused.");
  expect(describeRefusals([], [])).toEqual([]);
});

test("a file in another spelling is read only if the instructions say so", () => {
  expect(spelledPaths("Then read `a/../b.md`, `c/../d.md` is not, and read `b.md`.", ["b.md"])).toEqual(["a/../b.md"]);
});
