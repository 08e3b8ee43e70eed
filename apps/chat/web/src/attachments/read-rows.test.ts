import { expect, test } from "vitest";
import { readRows } from "./read-rows.ts";

const texts = (text: string, delimiter: "," | "\t" = ",") => {
  const { header, lines, left } = readRows(text, delimiter);
  return [header, ...lines.map(({ cells }) => cells)]
    .map((cells) => cells.map((cell) => cell.text))
    .concat([[`${left}`]]);
};

test("quoted cells may have separators, quotes and line breaks", () => {
  expect(texts('a,b\r\n"x, ""y""\nz",2\r\n')).toEqual([["a", "b"], ['x, "y"\nz', "2"], ["0"]]);
});

test("semicolons and tabs separate cells too", () => {
  expect(texts("a;b\n1,5;2\n")).toEqual([["a", "b"], ["1,5", "2"], ["0"]]);
  expect(texts("a\tb\n1\t2", "\t")).toEqual([["a", "b"], ["1", "2"], ["0"]]);
});

test("50 rows are shown, and the others are counted", () => {
  const { lines, left } = readRows(`n\n${"1\n".repeat(51)}`, ",");
  expect([lines.length, left]).toEqual([50, 1]);
});

test("an empty file and a quote that is never closed are tables too", () => {
  expect(texts("")).toEqual([[], ["0"]]);
  expect(texts('a\n"open, and on')).toEqual([["a"], ["open, and on"], ["0"]]);
});
