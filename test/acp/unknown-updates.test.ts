import { expect, onTestFinished, test, vi } from "vitest";
import { startFaulty } from "./faulty-agent.ts";

test("a session update of an unknown kind is ignored, and nothing is printed", async () => {
  const printed = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => printed.mockRestore());
  await using faulty = await startFaulty(["unknown-update"]);
  expect(await faulty.agent.think().text("Go").run()).toBe("Done.");
  expect(printed).not.toHaveBeenCalled();
});
