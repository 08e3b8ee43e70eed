import { expect, test } from "vitest";
import { planScripts } from "./plan-scripts.ts";
import { type OfflineRequest, RUN } from "./read-request.ts";

const FILES = ["scripts/echo.sh", "scripts/plot.py", "data.csv"];
const TOOL = { type: "function", name: RUN, inputSchema: {} } as const;

function plan(body: string, request: Partial<OfflineRequest> = {}) {
  const asked = { message: "Go.", tools: [TOOL], calls: [], files: [], ...request } as unknown as OfflineRequest;
  return planScripts(asked, { name: "tea", body, files: FILES }).map(({ input }) => input);
}

test.each([
  ["Run `scripts/echo.sh`.", "scripts/echo.sh", undefined],
  ["First, execute the script scripts/echo.sh and wait.", "scripts/echo.sh", undefined],
  ["run `scripts/echo.sh` with the arguments `one` and `two words`.", "scripts/echo.sh", ["one", "two words"]],
  ["Run `python scripts/plot.py --size 3 'two words'` now.", "scripts/plot.py", ["--size", "3", "two words"]],
  ["```\npython3 scripts/plot.py data.csv # reads it\n```", "scripts/plot.py", ["data.csv"]],
  ["```\n$ ./scripts/echo.sh $OUTPUT_DIR/out\n```", "scripts/echo.sh", ["$OUTPUT_DIR/out"]],
])("%s runs a script", (body, script, args) => {
  expect(plan(body)).toEqual([{ name: "tea", script, ...(args && { args }) }]);
});

test.each([
  "Read `scripts/echo.sh` as text. Reading must not run it.",
  "Do not run `scripts/echo.sh`.",
  "Never run scripts/echo.sh.",
  "| `scripts/echo.sh` | a script |",
  "```\nscripts/echo.sh\n```",
  "Run `other/scripts/echo.sh`.",
  "Run `scripts/echo.sh.bak`.",
  "Run `scripts/echo.sh <file>`.",
  "```\nnode scripts/echo.sh path/to/data.csv\n```",
])("%s runs nothing", (body) => {
  expect(plan(body)).toEqual([]);
});

test("an attached file takes the place of an example's file: the newest with its extension, or else the newest", () => {
  const body = "```\nnode scripts/echo.sh path/to/input.csv\n```";
  const file = (name: string) => ({ name, path: `$OUTPUT_DIR/${name}` });
  const argsWith = (...names: string[]) => plan(body, { files: names.map(file) }).map(({ args }) => args);
  expect(argsWith("new data.csv", "old.csv")).toEqual([["$OUTPUT_DIR/new data.csv"]]);
  expect(argsWith("a.png", "SALES.CSV")).toEqual([["$OUTPUT_DIR/SALES.CSV"]]);
  expect(argsWith("a.json")).toEqual([["$OUTPUT_DIR/a.json"]]);
  expect(plan("Run `scripts/echo.sh <file>`.", { files: [file("a.csv")] })).toEqual([]);
});

test("scripts run in the order they are named, once per turn, and not if the message forbids it", () => {
  const body = "Run `scripts/plot.py`, then run `scripts/echo.sh`.";
  expect(plan(body).map(({ script }) => script)).toEqual(["scripts/plot.py", "scripts/echo.sh"]);
  const done = { tool: RUN, input: { script: "scripts/plot.py" }, isOfThisTurn: true } as never;
  expect(plan(body, { calls: [done] })).toMatchObject([{ script: "scripts/echo.sh" }]);
  expect(plan(body, { message: "Check it without running scripts." })).toEqual([]);
  expect(plan(body, { tools: [] })).toEqual([]);
});
