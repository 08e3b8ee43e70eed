import { expect, test } from "vitest";
import { findTool } from "./find-tool.ts";

function find(names: readonly string[], wanted: string) {
  const found = findTool(
    names.map((name) => ({ name, wireName: name })),
    wanted,
  );
  return found.outcome === "found" ? found.tool.name : found;
}

test.each([
  ["mcp__child__echo", "echo"],
  ["child_echo", "echo"],
  ["mcp_child_echo", "child__echo"],
  ["mcp__my-server__read.file", "my_server_read_file"],
])("%s is found as %s", (name, wanted) => {
  expect(find(["other", name], wanted)).toBe(name);
});

test("an exact name wins over a longer one", () => {
  expect(find(["activate_skill", "skill"], "skill")).toBe("skill");
});

test("an end that is only part of a word does not match", () => {
  expect(find(["mcp__child__bigecho"], "echo")).toEqual({ outcome: "not-offered" });
});

test("an end that several tools share is ambiguous", () => {
  expect(find(["a_echo", "b_echo"], "echo")).toEqual({ outcome: "ambiguous", names: ["a_echo", "b_echo"] });
});
