import { readdirSync } from "node:fs";
import { expect } from "vitest";
import type { ThinkEvent } from "../../packages/skillset/src/acp/index.ts";
import type { ToolCall } from "../../packages/testing/src/model/script.ts";
import { type AgentUnderTest, PATIENCE } from "./agent-under-test.ts";

/**
 * The agent asks before it writes a file with its own shell, and is denied: the denial is reported, and nothing is
 * written.
 */
export async function runRefused(target: AgentUnderTest, shell: ToolCall): Promise<void> {
  const { decided, files } = await runCommand(target, shell);
  expect(decided).toEqual([{ type: "permission-decided", title: expect.any(String), kind: "execute", allowed: false }]);
  expect(files).toEqual([]);
}

/** The agent does the same without asking, so it cannot be denied. */
export async function runUnasked(target: AgentUnderTest, shell: ToolCall): Promise<void> {
  const { decided, files } = await runCommand(target, shell);
  expect(decided).toEqual([]);
  expect(files).toEqual(["written"]);
}

async function runCommand(target: AgentUnderTest, shell: ToolCall) {
  await using started = await target.start([shell, { say: "So be it." }]);
  const { agent, model, cwd } = started;
  // With one of our tools present: permission for it must not extend to other tools.
  const stream = agent
    .think()
    .text("Write a file.")
    .tool("secret", "Returns a word", () => "amber")
    .timeout(PATIENCE)
    .stream();
  const events: ThinkEvent[] = [];
  try {
    for await (const event of stream) events.push(event);
  } catch (error) {
    // Some agents end the turn when a permission is denied.
    expect((error as Error).message).toContain("denied request");
  }
  expect(model.faults).toEqual([]);
  return { decided: events.filter(({ type }) => type === "permission-decided"), files: readdirSync(cwd) };
}
