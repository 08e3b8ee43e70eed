import { expect, onTestFinished, test } from "vitest";
import { type ScriptStep, startScriptedAgent } from "../../../../../testing/src/index.ts";
import { estimateTokens } from "../../../core/text/tokens.ts";
import { createSkillset, defineSkill } from "../../../index.ts";
import { connectAgent, type ThinkBuilder, type ThinkSession } from "../../index.ts";

const ALPHA = defineSkill({ name: "alpha", description: "Does alpha.", body: "The body of alpha." });
const BETA = defineSkill({ name: "beta", description: "Does beta.", body: "The body of beta." });
const RULE = "load its instructions before you use it";

/** The text of each prompt in a conversation whose prompts are built by the functions. */
async function promptsOf(
  script: readonly ScriptStep[],
  prompts: readonly ((prompt: ThinkBuilder<string>, chat: ThinkSession) => ThinkBuilder<string>)[],
): Promise<readonly string[]> {
  const scripted = await startScriptedAgent(script);
  const agent = await connectAgent(scripted.app);
  onTestFinished(async () => {
    await agent.close();
    await scripted.close();
  });
  const chat = agent.session();
  for (const prompt of prompts) await prompt(chat.think().text("Go."), chat).run();
  const { messages = [] } = scripted.requests.at(-1) ?? {};
  return messages.flatMap(({ role, text }) => (role === "user" ? [text] : []));
}

const noticed = (line: string): string => `<skill_notice>\n${line}\n</skill_notice>\n\nGo.`;
const says = (count: number): ScriptStep[] => Array.from({ length: count }, (_, index) => ({ say: `${index}` }));

test("a removed skill is announced again when it returns", async () => {
  const [first, second, third, fourth] = await promptsOf(says(4), [
    (prompt) => prompt.skill(ALPHA),
    (prompt) => prompt,
    (prompt) => prompt.skill(ALPHA),
    (prompt) => prompt.skill(ALPHA),
  ]);
  expect(first).toContain("<name>alpha</name>");
  expect(second).toBe(noticed("These skills are gone: alpha."));
  expect(third).toMatch(/^<skill_notice>\nThese skills are new:\n<available_skills>[\s\S]*Does alpha\.[\s\S]*Go\.$/);
  expect(fourth).toBe("Go.");
});

test("a prompt with 1,000 skills has a catalog of 8,000 tokens, and how to find the others", async () => {
  const many = Array.from({ length: 1_000 }, (_, index) =>
    defineSkill({ name: `skill-${index}`, description: "Does one thing. ".repeat(10), body: "b" }),
  );
  const skillset = await createSkillset(many);
  const [first = ""] = await promptsOf(says(1), [(prompt) => prompt.skill(skillset)]);
  const [, listed = ""] = /(<available_skills>[\s\S]*<\/available_skills>)/.exec(first) ?? [];
  expect(estimateTokens(listed)).toBeLessThanOrEqual(8_000);
  expect(listed).toMatch(/more skills are not listed: call `[^`]*search_skills` to find them/);
  expect(first).toMatch(/If no listed skill fits, call `[^`]*search_skills`/);
});

test("the rules are sent once, with the first skill, in whichever prompt that is", async () => {
  const [first, second, third] = await promptsOf(says(3), [
    (prompt) => prompt,
    (prompt) => prompt.skill(ALPHA),
    (prompt) => prompt.skill(ALPHA).skill(BETA),
  ]);
  expect(first).toBe("Go.");
  expect(second).toMatch(/^<skill_notice>\nThese skills are new:\n<available_skills>/);
  expect(second).toContain(RULE);
  expect(third).toMatch(/^<skill_notice>\nThese skills are new:[\s\S]*Does beta\./);
  expect(third).not.toContain("Does alpha.");
  expect(third).not.toContain(RULE);
});

test("a skill activated by a later prompt is not announced as new in the next one", async () => {
  const [, second, third, fourth] = await promptsOf(
    [{ say: "0" }, { call: "activate_skill", input: { name: "beta" } }, { say: "1" }, { say: "2" }, { say: "3" }],
    [(prompt) => prompt.skill(ALPHA), (prompt) => prompt.skill(BETA), (prompt) => prompt, (prompt) => prompt],
  );
  expect(second).toContain("Does beta.");
  expect(third).toBe(noticed("Active skills (activated_skill_names): beta."));
  expect(fourth).toBe("Go.");
});

test("a skill added after the first prompt is reported as gone, once", async () => {
  const [, second, third, fourth] = await promptsOf(says(4), [
    (prompt) => prompt,
    (prompt) => prompt.skill(BETA),
    (prompt) => prompt,
    (prompt) => prompt,
  ]);
  expect(second).toContain("Does beta.");
  expect(third).toBe(noticed("These skills are gone: beta."));
  expect(fourth).toBe("Go.");
});

test("a skill with a changed description is listed again", async () => {
  const changed = defineSkill({ name: "alpha", description: "Does alpha and omega.", body: "The body of alpha." });
  const [, second] = await promptsOf(says(2), [(prompt) => prompt.skill(ALPHA), (prompt) => prompt.skill(changed)]);
  expect(second).toMatch(/These skills have a new description:[\s\S]*Does alpha and omega\./);
});

test("a session that was updated before its first prompt lists its current skills", async () => {
  const scripted = await startScriptedAgent(says(1));
  const agent = await connectAgent(scripted.app);
  onTestFinished(async () => {
    await agent.close();
    await scripted.close();
  });
  const skills = await (await createSkillset([])).session();
  await skills.use(await createSkillset([ALPHA]));
  await agent.session({ skills }).think().text("Go.").run();
  const text = scripted.requests[0]?.messages[0]?.text;
  expect(text).toMatch(/^<available_skills>/);
  expect(text).toContain(RULE);
});

test("a skill invoked by name is not announced as active before its instructions are sent", async () => {
  const [first, second] = await promptsOf(says(2), [
    (prompt) => prompt.skill(ALPHA),
    (_prompt, chat) => chat.think().skill(ALPHA).text("/alpha now"),
  ]);
  expect(first).toContain("Does alpha.");
  expect(second).toContain("The body of alpha.");
  expect(second).toMatch(/now$/);
});
