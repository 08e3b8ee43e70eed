import { expect, test } from "vitest";
import { jsonTables } from "./json-tables.ts";

test("simple fields become a line, and lists of objects tables", () => {
  const value = {
    rows: 2,
    warnings: [],
    columns: [{ name: "city", top: [{ value: "Turin", count: 2 }] }, { name: "n" }],
  };
  expect(jsonTables(JSON.stringify(value))).toBe(
    "rows: 2\n\ncolumns:\n\n| name | top |\n| --- | --- |\n| city | Turin (2) |\n| n |  |",
  );
});

test("marks of Markdown and HTML in values are escaped", () => {
  const text = jsonTables(JSON.stringify({ list: [{ "a|b": "<b>*x*</b> | y" }] }));
  expect(text).toContain("a\\|b");
  expect(text).toContain("\\<b\\>x\\</b\\> \\| y");
});

test.each(["", "[]", "text", '{"a":1}', '{"a":[]}', '{"a":[1]}', "null"])("%s is not a table", (text) => {
  expect(jsonTables(text)).toBeUndefined();
});

test("long lists are cut, with a note", () => {
  const text = jsonTables(JSON.stringify({ list: Array.from({ length: 23 }, (_, at) => ({ at })) }));
  expect(text).toContain("| 19 |\n\n(3 more rows)");
});
