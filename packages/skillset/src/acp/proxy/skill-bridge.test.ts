import { expect, onTestFinished, test, vi } from "vitest";
import * as bridge from "../bridge/bridge.ts";
import { SkillBridges } from "./skill-bridge.ts";

vi.mock(import("../bridge/bridge.ts"), { spy: true });

test("a shared server that could not be started is started again for the next session", async () => {
  vi.mocked(bridge.openBridge).mockRejectedValueOnce(new Error("no free port"));
  const bridges = new SkillBridges();
  const agent = { name: "OpenCode", hasHttp: true };
  await expect(bridges.open(agent, "/work")).rejects.toThrow("no free port");
  const opened = await bridges.open(agent, "/work");
  onTestFinished(() => opened?.release());
  expect(opened).toMatchObject({ declaration: { name: "skillset" }, isShared: false });
});
