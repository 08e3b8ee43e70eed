import { expect } from "vitest";
import type { ConnectAgentOptions } from "../../packages/skillset/src/acp/index.ts";
import type { ScriptStep } from "../../packages/testing/src/model/script.ts";
import { type AgentUnderTest, PATIENCE, textOf } from "./agent-under-test.ts";

/** A prompt is cancelled while the model generates; the conversation continues with the next one. */
export async function runCancelled(target: AgentUnderTest, options: ConnectAgentOptions = {}): Promise<void> {
  const thinking = Promise.withResolvers<void>();
  // Not a separate step: agents differ in what they keep of a cancelled prompt.
  const step: ScriptStep = (request) => {
    if (textOf(request).includes("Are you still there?")) return { say: "Still here." };
    thinking.resolve();
    return { hang: true };
  };
  await using started = await target.start([step, step], options);
  const { agent, model } = started;
  await using session = agent.session();
  const stop = new AbortController();
  const cancelled = session.think().text("Think long.").signal(stop.signal).timeout(PATIENCE).run();
  await Promise.race([thinking.promise, cancelled]);
  stop.abort(new Error("Enough."));
  await expect(cancelled).rejects.toThrow("Enough.");
  const answer = await session.think().text("Are you still there?").timeout(PATIENCE).run();
  expect(answer).toContain("Still here.");
  expect(model.faults).toEqual([]);
}
