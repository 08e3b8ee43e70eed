import { expect } from "vitest";
import { z } from "zod";
import type { Agent, ConnectAgentOptions } from "../../packages/skillset/src/acp/index.ts";
import type { ScriptStep } from "../../packages/testing/src/model/script.ts";
import { type AgentUnderTest, PATIENCE } from "./agent-under-test.ts";
import { TIDES_BODY, tidesSkill } from "./guide-skills.ts";
import { Offspring, openNow } from "./left-behind.ts";

/** A short run that can be repeated. */
export interface ShortRun {
  readonly script: readonly ScriptStep[];
  run(agent: Agent): Promise<void>;
}

/** With a skill and a result over MCP. */
export const SKILL_RUN: ShortRun = {
  script: [
    { call: "skillset_activate_skill", input: { name: "tides" } },
    ({ toolResults }) => {
      const rule = toolResults.at(-1)?.text.includes(TIDES_BODY) ? TIDES_BODY : "none";
      return { call: "think_return_result", input: { rule } };
    },
    { say: "Do that." },
  ],
  run: async (agent) => {
    const asked = agent
      .think(z.object({ rule: z.string() }))
      .text("What of the tides?")
      .skill(tidesSkill());
    expect(await asked.timeout(PATIENCE).run()).toEqual({ rule: TIDES_BODY });
  },
};

/** Without skills and tools, for agents without MCP. */
export const PLAIN_RUN: ShortRun = {
  script: [{ say: "High at noon." }],
  run: async (agent) => {
    expect(await agent.think().text("What of the tides?").timeout(PATIENCE).run()).toBe("High at noon.");
  },
};

/** Many runs on one agent, one after another; when it is closed, nothing of them is left. */
export async function runManyTimes(
  target: AgentUnderTest,
  count: number,
  short: ShortRun = SKILL_RUN,
  options: ConnectAgentOptions = {},
): Promise<void> {
  // What is loaded and opened once is not a leak.
  await runTimes(target, 1, short, options, new Offspring());
  const before = openNow();
  const offspring = new Offspring();
  await runTimes(target, count, short, options, offspring);
  await expect.poll(() => offspring.living, SETTLING).toEqual([]);
  await expect.poll(openNow, SETTLING).toEqual(before);
}

async function runTimes(
  target: AgentUnderTest,
  count: number,
  { script, run }: ShortRun,
  options: ConnectAgentOptions,
  offspring: Offspring,
): Promise<void> {
  await using started = await target.start(script, options);
  const { agent, model } = started;
  const { ports } = openNow();
  const processes: number[] = [];
  for (let index = 0; index < count; index += 1) {
    await run(agent);
    // The servers of a run end with it, while the agent keeps running.
    expect(openNow().ports).toBe(ports);
    processes.push(offspring.living.length);
  }
  expect(model.faults).toEqual([]);
  const [, , afterThree] = processes;
  // The number of the agent's processes must not grow with the runs either.
  if (afterThree !== undefined)
    await expect.poll(() => offspring.living.length, SETTLING).toBeLessThanOrEqual(afterThree);
}

/** Processes take a moment to end. */
const SETTLING = { timeout: 10_000 };
