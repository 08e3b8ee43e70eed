import { expect, onTestFinished, test } from "vitest";
import { createModelAgent } from "../../../../testing/src/agent/model-agent.ts";
import { startScriptedModel } from "../../../../testing/src/index.ts";
import { defineSkill } from "../../core/skill/define-skill.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { connectAgent } from "../index.ts";

const many = Array.from({ length: 250 }, (_, at) =>
  defineSkill({ name: `skill-${at}`, description: `Does thing ${at} for whoever asks for it.`, body: "Do it." }),
);
const tea = defineSkill({ name: "tea", description: "Makes tea.", body: "Steep." });

async function open() {
  const model = await startScriptedModel([{ say: "First." }, { say: "Second." }], { pace: "global" });
  onTestFinished(() => model.close());
  const agent = await connectAgent(createModelAgent(model.url));
  onTestFinished(() => agent.close());
  const embedded: string[] = [];
  const embedding = async (texts: readonly string[]): Promise<number[][]> => {
    embedded.push(...texts);
    return texts.map(() => [1, 0]);
  };
  const inner = await createSkillset(many, { catalog: { budget: { tokens: 300 }, pins: ["skill-200"] }, embedding });
  const sent = (at: number): string => JSON.stringify((model.requests[at] as { body: unknown }).body);
  return { agent, inner, sent, embedded };
}

test("a skillset keeps its budget and pins when it is given to a run", async () => {
  const { agent, inner, sent } = await open();
  await agent.think().skill(inner).text("Hi.").run();
  expect(sent(0)).toContain("Does thing 200 for");
  expect(sent(0)).not.toContain("Does thing 199 for");
});

test("a conversation keeps them too, also next to the skills of one prompt", async () => {
  const { agent, inner, sent } = await open();
  const chat = agent.session({ skills: await inner.session() });
  const other = await createSkillset([tea], { catalog: { budget: { tokens: 500 } } });
  await chat.think().skill(other).text("Hi.").run();
  expect(sent(0)).toContain("Does thing 200 for");
  expect(sent(0)).not.toContain("Does thing 199 for");
  expect(await chat.think().text("And now?").run()).toBe("Second.");
});
