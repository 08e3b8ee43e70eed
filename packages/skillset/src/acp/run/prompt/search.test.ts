import { expect, onTestFinished, test } from "vitest";
import { createModelAgent } from "../../../../../testing/src/agent/model-agent.ts";
import { startScriptedModel } from "../../../../../testing/src/index.ts";
import { defineSkill } from "../../../core/skill/define-skill.ts";
import { connectAgent } from "../../index.ts";

const SHELVES = Array.from({ length: 300 }, (_, index) =>
  defineSkill({ name: `shelf-${index}`, description: `Knows the books on shelf ${index}.`, body: "Look." }),
);
const TEA = defineSkill({ name: "tea", description: "Brews green tea.", body: "Steep the leaves." });

async function toolsOfRun(count: number) {
  const script = count === 0 ? [] : [{ call: "search_skills", input: { query: "green tea" } }];
  const scripted = await startScriptedModel([...script, { say: "Done." }], { isSide: () => false });
  onTestFinished(() => scripted.close());
  const agent = await connectAgent(createModelAgent(scripted.url), { catalog: { budget: { tokens: 200 } } });
  onTestFinished(() => agent.close());
  let prompt = agent.think().text("Tea, please.");
  for (const skill of [...SHELVES.slice(0, count), TEA]) prompt = prompt.skill(skill);
  expect(await prompt.run()).toBe("Done.");
  return scripted.requests;
}

test("a single run has the search among its tools and in its rules if the catalog omits names", async () => {
  const [first, second] = await toolsOfRun(300);
  expect(first?.tools.join()).toContain("search_skills");
  expect(first?.messages[0]?.text).toMatch(/call `\S*search_skills` with the task in words/);
  expect(second?.toolResults.at(-1)?.text).toBe("- **tea**: Brews green tea. (matches: green, tea)");
});

test("a single run has no search if the catalog lists every name", async () => {
  const [first] = await toolsOfRun(0);
  expect(first?.tools.join()).not.toContain("search_skills");
  expect(first?.messages[0]?.text).not.toContain("search_skills");
});
