import { expect } from "vitest";
import { z } from "zod";
import type { ConnectAgentOptions } from "../../packages/skillset/src/acp/index.ts";
import type { ScriptStep } from "../../packages/testing/src/model/script.ts";
import { type AgentUnderTest, PATIENCE, textOf, turnsOf } from "./agent-under-test.ts";

/** Three concurrent runs on one agent and in one folder. Their skills and tools share names, but not contents. */
export async function runAtOnce(target: AgentUnderTest, options: ConnectAgentOptions = {}): Promise<void> {
  await using started = await target.start(SCRIPT, options);
  const { agent, model } = started;
  const runs = ["amber", "birch", "coral"].map((word) =>
    agent
      .think(z.object({ told: z.array(z.string()) }))
      .text("List the words.")
      .skill({
        name: "house",
        description: "Knows a word. Use always.",
        body: `The word of the house is body-${word}.`,
      })
      .tool("secret", "Returns a word", () => `The word is tool-${word}.`)
      .timeout(PATIENCE)
      .run(),
  );
  const results = await Promise.all(runs);
  expect(model.faults).toEqual([]);
  expect(results).toEqual([
    { told: ["body-amber", "tool-amber"] },
    { told: ["body-birch", "tool-birch"] },
    { told: ["body-coral", "tool-coral"] },
  ]);
  for (const request of turnsOf(model)) expect(new Set(textOf(request).match(WORDS)).size).toBeLessThanOrEqual(1);
}

const WORDS = /amber|birch|coral/g;

/** The model returns the words that it received. */
const SCRIPT: readonly ScriptStep[] = [
  { call: "skillset_activate_skill", input: { name: "house" } },
  { call: "think_secret" },
  ({ toolResults }) => {
    const told = toolResults.flatMap(({ text }) => text.match(/(?:body|tool)-[a-z]+/) ?? []);
    return { call: "think_return_result", input: { told } };
  },
  { say: "Those are the words." },
];
