import { expect, test } from "vitest";
import { namingOf } from "./tool-naming.ts";

test.each([
  ["@agentclientprotocol/claude-agent-acp", "mcp__skillset__activate_skill", ""],
  ["gemini-cli", "mcp_skillset_activate_skill", ""],
  ["OpenCode", "skillset_activate_skill", ""],
  ["@agentclientprotocol/codex-acp", "activate_skill", " of the MCP server `skillset`"],
  ["an unknown agent", "activate_skill", " of the MCP server `skillset`"],
  ["constructor", "activate_skill", " of the MCP server `skillset`"],
])("the prompt for %s uses the tool name %s%s", (agent, name, owner) => {
  const naming = namingOf(agent, { hasMcp: true });
  expect([naming.name("skillset", "activate_skill"), naming.owner("skillset")]).toEqual([name, owner]);
});

test("the prompt for an agent without MCP uses plain tool names", () => {
  const naming = namingOf("gemini-cli", { hasMcp: false });
  expect([naming.name("skillset", "activate_skill"), naming.owner("skillset")]).toEqual(["activate_skill", ""]);
});
