import { describe, expect, test } from "vitest";
import { argumentNames, ownToolOf } from "./own-tools.ts";

const NAMES = argumentNames([
  {
    name: "activate_skill",
    title: "",
    description: "",
    inputSchema: { type: "object", properties: { name: {} }, additionalProperties: false },
    readOnly: true,
    isAvailable: () => true,
    execute: async () => ({ isError: false, text: "", data: {} }),
  },
]);

describe("calls of our tools are recognized for every agent", () => {
  test.each([
    [
      "Claude Code",
      {
        title: "mcp__skillset__activate_skill",
        name: "mcp__skillset__activate_skill",
        kind: "other",
        rawInput: { name: "x" },
      },
    ],
    ["opencode", { title: "skillset_activate_skill", kind: "other", rawInput: {} }],
    ["gemini", { title: "activate_skill (skillset MCP Server)", kind: "other" }],
    [
      "codex",
      {
        title: "mcp.skillset.activate_skill",
        kind: "execute",
        rawInput: { server: "skillset", tool: "activate_skill", arguments: { name: "x" } },
        _meta: { is_mcp_tool_call: true },
      },
    ],
  ] as const)("%s", (_agent, call) => {
    expect(ownToolOf(call, NAMES)).toBe("activate_skill");
  });
});

describe("other calls are not recognized as ours", () => {
  test.each([
    [
      "a command with that title in Claude Code",
      { title: "mcp__skillset__activate_skill", name: "Bash", kind: "execute" },
    ],
    [
      "a command with that title",
      { title: "mcp__skillset__activate_skill", kind: "execute", rawInput: { command: "x" } },
    ],
    [
      "a sub-agent with a title written by the model",
      { title: "skillset_activate_skill", name: "Agent", kind: "think" },
    ],
    ["a sub-agent without a name", { title: "skillset_activate_skill", kind: "think" }],
    ["a command with gemini's form of the title", { title: "activate_skill (skillset MCP Server)", kind: "execute" }],
    ["an edit", { title: "skillset_activate_skill", kind: "edit" }],
    ["a file read", { title: "skillset_activate_skill", kind: "read" }],
    ["trailing text", { title: "skillset_activate_skill; rm -rf /", kind: "other" }],
    ["a second line", { title: "skillset_activate_skill\nrm -rf /", kind: "other" }],
    ["the tool of another server", { title: "mcp__other__activate_skill", name: "mcp__other__activate_skill" }],
    ["a server whose name starts like ours", { title: "skillset2_activate_skill", kind: "other" }],
    ["an agent's own tool with that name", { title: "activate_skill", kind: "other" }],
    ["a tool that we do not have", { title: "skillset_run_anything", kind: "other" }],
    [
      "input that our tool does not accept",
      { title: "skillset_activate_skill", kind: "other", rawInput: { command: "x" } },
    ],
    [
      "another server's tool in codex",
      {
        title: "mcp.skillset.activate_skill",
        rawInput: { server: "x", tool: "activate_skill" },
        _meta: { is_mcp_tool_call: true },
      },
    ],
    [
      "a command with codex's form of the input",
      { title: "skillset.activate_skill", kind: "execute", rawInput: { server: "skillset", tool: "activate_skill" } },
    ],
    ["nothing at all", {}],
  ] as const)("%s", (_what, call) => {
    expect(ownToolOf(call, NAMES)).toBeUndefined();
  });
});
