import { expect, test } from "vitest";
import { PATIENCE, turnsOf } from "../acp/agent-under-test.ts";
import { ACP_AGENTS } from "./fixtures/acp/all.ts";
import { underTest } from "./fixtures/acp/under-test.ts";
import { needsAgents } from "./installed.ts";

needsAgents();

/** A model of each agent that is not its default here, and the start of the name that its provider gets. */
const OTHER: Readonly<Record<string, readonly [model: string, sent: RegExp]>> = {
  claude: ["haiku", /haiku/],
  gemini: ["gemini-2.5-pro", /^gemini-2\.5-pro$/],
  codex: ["gpt-5.5", /^gpt-5\.5$/],
};

test.each(ACP_AGENTS)("$name reports its models if the requested one does not exist", async (agent) => {
  await using started = await underTest(agent).start([{ say: "Hi." }], { model: "no-such-model" });
  const run = started.agent.think().text("Hi.").timeout(PATIENCE).run();
  await expect(run).rejects.toMatchObject({
    code: "option-invalid",
    message: expect.stringMatching(/has no model 'no-such-model'\. Its models: [\w./-]+/),
  });
  expect(turnsOf(started.model)).toEqual([]);
});

test.each(ACP_AGENTS.filter(({ name }) => name in OTHER))("$name uses the requested model", async (agent) => {
  const [model = "", sent = /./] = OTHER[agent.name] ?? [];
  await using started = await underTest(agent).start([{ say: "Hi." }], { model });
  await started.agent.think().text("Hi.").timeout(PATIENCE).run();
  expect(turnsOf(started.model).map((request) => request.model)).toEqual([expect.stringMatching(sent)]);
});
