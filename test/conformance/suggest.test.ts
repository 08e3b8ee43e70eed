import { expect, onTestFinished, test } from "vitest";
import { connectAgent } from "../../packages/skillset/src/acp/index.ts";
import { createSkillset, defineSkill } from "../../packages/skillset/src/index.ts";
import { createModelAgent } from "../../packages/testing/src/agent/model-agent.ts";
import { startScriptedModel } from "../../packages/testing/src/index.ts";
import { aiSdkAgent, aiSdkStream } from "./adapters/ai-sdk.ts";
import { openaiChat, openaiResponses } from "./adapters/openai.ts";
import { openaiAgents } from "./adapters/openai-agents.ts";

const TOPICS = ["violin", "orchid", "glacier", "harbour", "comet", "saddle", "lantern", "meadow"];
const BREAD = "How do I bake sourdough bread from a starter?";
const SUGGEST = { suggest: true, catalog: { budget: { tokens: 40 } } };

async function start() {
  const model = await startScriptedModel([{ say: "With flour." }], { isSide: () => false, pace: "conversation" });
  onTestFinished(() => model.close());
  const skills = await createSkillset(
    ["sourdough", ...TOPICS].map((name) => {
      const description = name === "sourdough" ? "Bakes sourdough bread from a starter." : `Studies every ${name}.`;
      return defineSkill({ name, description, body: "" });
    }),
  );
  return { model, skills };
}

test.each(
  [aiSdkStream, aiSdkAgent, openaiResponses, openaiChat, openaiAgents].map(
    (adapter) => [adapter.name, adapter] as const,
  ),
)("%s passes 'suggest' on to the turn", async (_, adapter) => {
  const { model, skills } = await start();
  const agent = await adapter.start({ skills, modelUrl: model.url, ...SUGGEST });
  onTestFinished(() => agent.close());
  await agent.say(BREAD);
  expect(model.requests[0]?.messages.at(-1)?.text).toMatch(/may fit this message[\s\S]*Bakes sourdough[\s\S]*How do I/);
});

test("ACP has the option 'suggest'", async () => {
  const { model, skills } = await start();
  const agent = await connectAgent(createModelAgent(model.url), SUGGEST);
  onTestFinished(() => agent.close());
  await agent
    .session({ skills: await skills.session() })
    .think()
    .text(BREAD)
    .run();
  expect(model.requests[0]?.messages.at(-1)?.text).toMatch(/may fit this message[\s\S]*Bakes sourdough[\s\S]*How do I/);
});
