import { agent as agentApp } from "@agentclientprotocol/sdk";
import { expect, test } from "vitest";
import { connectAgent } from "../index.ts";

test("a run that times out on an agent that ignores the cancellation settles after 'cancelTimeout', and stops the agent", async () => {
  let isCancelled = false;
  const app = agentApp()
    .onRequest("initialize", () => ({ protocolVersion: 1 }))
    .onRequest("session/new", () => ({ sessionId: "1" }))
    .onRequest("session/prompt", () => new Promise<never>(() => {}))
    .onNotification("session/cancel", () => {
      isCancelled = true;
    });
  await using agent = await connectAgent(app, { cancelTimeout: 200 });
  const started = Date.now();
  await expect(agent.think().text("Go.").timeout(50).run()).rejects.toMatchObject({ code: "run-timed-out" });
  // Timers may fire a millisecond early. The default is five seconds.
  expect(Date.now() - started).toBeGreaterThanOrEqual(240);
  expect(Date.now() - started).toBeLessThan(4_500);
  expect(isCancelled).toBe(true);
  await expect(agent.think().text("Again.").run()).rejects.toThrow("kept running after it was cancelled");
});
