import { describe, expect, test } from "vitest";
import fixture from "../../../../../test/fixtures/allowed-tools.json" with { type: "json" };
import { suggestToken } from "./suggest-token.ts";
import type { ToolCall } from "./tool-call.ts";
import { isCovered, parseToolToken } from "./tool-token.ts";

const { cwd, home, covers } = fixture;
const CALLS = new Map(
  Object.entries(fixture.calls).map(([id, [tool = "", subject]]): [string, ToolCall] => [id, { tool, subject }]),
);

/** `b1-b3 c1` is b1, b2, b3 and c1. */
function expand(list: string): readonly string[] {
  return list.split(" ").flatMap((item) => {
    const [, letter = "", from, to] = /^([a-z])(\d+)-[a-z](\d+)$/.exec(item) ?? [];
    if (from === undefined) return item === "" ? [] : [item];
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => `${letter}${Number(from) + index}`);
  });
}

test("the fixture has 60 tokens and 200 calls, and names only calls that it has", () => {
  expect([Object.keys(covers).length, CALLS.size]).toEqual([60, 200]);
  for (const list of Object.values(covers)) for (const id of expand(list)) expect(CALLS.has(id), id).toBe(true);
});

test.each(Object.entries(covers))("%s covers exactly the calls of the fixture", (text, list) => {
  const token = parseToolToken(text, { cwd, home });
  const covered = [...CALLS].filter(([, call]) => token.covers(call)).map(([id]) => id);
  expect(covered.sort()).toEqual([...expand(list)].sort());
});

test("what a token covers, it may also deny", () => {
  for (const text of Object.keys(covers)) {
    const token = parseToolToken(text, { cwd, home });
    for (const call of CALLS.values()) if (token.covers(call)) expect(token.mayCover(call)).toBe(true);
  }
});

test("a suggested token always covers the call, with the tokens that there are", () => {
  for (const text of Object.keys(covers)) {
    const tokens = [parseToolToken(text, { cwd, home })];
    for (const call of CALLS.values()) {
      if (isCovered(tokens, call)) continue;
      const added = suggestToken(call, tokens, { cwd, home }).split(" ");
      const all = [...tokens, ...added.map((one) => parseToolToken(one, { cwd, home }))];
      expect(isCovered(all, call), `${text} and ${added} for ${JSON.stringify(call)}`).toBe(true);
    }
  }
});

test.each([
  [{ tool: "Bash", subject: "git status && npm test" }, "Bash(git:*) Bash(npm:*)"],
  [{ tool: "Bash", subject: "scripts/echo.sh secret" }, "Bash(scripts/echo.sh:*)"],
  [{ tool: "Bash", subject: "echo $(id)" }, "Bash"],
  [{ tool: "Read", subject: "/etc/passwd" }, "Read(//etc/passwd)"],
  [{ tool: "Read", subject: "docs/a.md" }, "Read(./docs/a.md)"],
  [{ tool: "WebFetch", subject: "example.com" }, "WebFetch(domain:example.com)"],
  [{ tool: "mcp__github__get_issue" }, "mcp__github__get_issue"],
])("for %o the suggestion is %s", (call, token) => {
  expect(suggestToken(call, [], { cwd, home })).toBe(token);
});

describe("several tokens of one skill", () => {
  const tokens = ["Bash(git:*)", "Bash(npm test)"].map((text) => parseToolToken(text));

  test("cover a compound command together", () => {
    expect(isCovered(tokens, { tool: "Bash", subject: "git status && npm test" })).toBe(true);
  });

  test("do not cover it if one of its commands is missing", () => {
    expect(isCovered(tokens, { tool: "Bash", subject: "git status && npm test && rm x" })).toBe(false);
  });
});

test.each(["rm x", "ls; rm x", "'rm' x", 'r"m" x', "echo $(rm x)", "A=1 rm x", "ls > out"])(
  "disallowing Bash(rm:*) may deny %s",
  (subject) => {
    expect(parseToolToken("Bash(rm:*)").mayCover({ tool: "Bash", subject })).toBe(true);
  },
);

test("disallowing Bash(rm:*) does not deny another plain command", () => {
  expect(parseToolToken("Bash(rm:*)").mayCover({ tool: "Bash", subject: "ls -la && echo 'rm x'" })).toBe(false);
});

test("a long command and a pattern with many stars are decided without delay", () => {
  const pattern = parseToolToken(`Bash(${"a*".repeat(200)}b)`);
  expect(pattern.covers({ tool: "Bash", subject: "a".repeat(100_000) })).toBe(false);
  const path = parseToolToken(`Read(${"**/a/".repeat(100)}b)`);
  expect(path.covers({ tool: "Read", subject: "a/".repeat(5_000) })).toBe(false);
});
