import { expect } from "vitest";
import { z } from "zod";
import type { ConnectAgentOptions } from "../../packages/skillset/src/acp/index.ts";
import type { ScriptStep } from "../../packages/testing/src/model/script.ts";
import type { ReceivedRequest } from "../../packages/testing/src/wire/model-request.ts";
import { type AgentUnderTest, PATIENCE, textOf, turnsOf } from "./agent-under-test.ts";
import { GUIDE_FILE, storeGuide, TIDES_BODY, tidesSkill } from "./guide-skills.ts";
import { takeEvents } from "./scenario.ts";

/** Two prompts of one conversation, each with its own tool, skill and schema, and a separate run between them. */
export async function runSession(target: AgentUnderTest, options: ConnectAgentOptions = {}): Promise<void> {
  await using started = await target.start(SCRIPT, options);
  const { agent, model, folder } = started;
  await using session = agent.session();

  const first = session
    .think(z.object({ bird: z.string() }))
    .text("What did I see?")
    .skill(storeGuide(folder))
    .tool("colour", "Returns the colour of its beak", () => "The beak is red.")
    .timeout(PATIENCE)
    .stream();
  await takeEvents(first, model);
  expect(await first.result).toEqual({ bird: "oystercatcher" });
  expect(session.active).toEqual(["bird-guide"]);

  const beside = agent.think().text("By the way: are you well?").timeout(PATIENCE);
  expect(await beside.run()).toContain("Never better.");

  const second = session
    .think(z.object({ height: z.number() }))
    .text("And how high was the water?")
    .skill(tidesSkill())
    .tool("pier", "Returns the height of a pier", { type: "object" }, () => "The pier is 120 cm high.")
    .timeout(PATIENCE)
    .stream();
  const events = await takeEvents(second, model);
  expect(await second.result).toEqual({ height: 297 });
  expect(session.active).toEqual(["bird-guide", "tides"]);
  expect(events).toContainEqual(expect.objectContaining({ type: "skill-file-read", skill: "bird-guide" }));

  const last = textOf(turnsOf(model).at(-1) as ReceivedRequest);
  for (const said of ["The beak is red.", GUIDE_FILE, TIDES_BODY, "The pier is 120 cm high."])
    expect(last).toContain(said);
  expect(model.faults).toEqual([]);
}

const SCRIPT: readonly ScriptStep[] = [
  (request) =>
    textOf(request).includes("By the way")
      ? { say: "Never better." }
      : { call: "skillset_activate_skill", input: { name: "bird-guide" } },
  { call: "think_call_tool", input: { tool: "colour" } },
  { call: "think_return_result", input: { result: { bird: "oystercatcher" } } },
  { say: "That was an oystercatcher." },
  // Active skills of the first prompt are available in the second.
  { call: "skillset_read_skill_file", input: { skill: "bird-guide", path: "references/waders.md" } },
  { call: "skillset_activate_skill", input: { name: "tides" } },
  { call: "think_call_tool", input: { tool: "pier", input: {} } },
  { call: "think_return_result", input: { result: { height: 297 } } },
  { say: "It was low." },
];
