import { describe, expect, test } from "vitest";
import { type AgentPart, agentNamesWith } from "../../agents/find-agent.ts";
import { runCaptured } from "../run-captured.ts";
import { agentOption } from "./agent-option.ts";

describe("the option that names an agent", () => {
  test("accepts the agents that support the command", () => {
    expect(agentOption("agent", "codex", "home")?.home.skills).toBe(".agents/skills");
    expect(agentOption("agent", undefined, "home")).toBeUndefined();
  });

  test("is refused for an agent that does not support the command, with the names of those that do", () => {
    const message = "'cursor' has no known home. '--agent' takes claude, codex, gemini, opencode or pi.";
    expect(() => agentOption("agent", "cursor", "home")).toThrow(message);
  });

  test.each([
    ["gemni", "gemini"],
    ["Codex", "codex"],
    ["claude-code", "claude"],
    ["gemini-cli", "gemini"],
  ])("is refused for the unknown name %s, and suggests the nearest one", (given, nearest) => {
    expect(() => agentOption("agent", given, "acp")).toThrow(`not '${given}'; did you mean '${nearest}'?`);
  });

  test.each<[command: string, part: AgentPart]>([
    ["think", "acp"],
    ["install", "project"],
    ["exec", "home"],
    ["serve", "mcp"],
  ])("is explained by 'skillset %s --help' with the agents from the definitions", async (command, part) => {
    const { stdout } = await runCaptured([command, "--help"], { cwd: "/" });
    expect(stdout.replace(/\s+/g, " ")).toContain(`: ${agentNamesWith(part).join(", ")}`);
  });
});
