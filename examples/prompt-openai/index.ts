import assert from "node:assert/strict";
import { startScriptedModel } from "@skillset/testing";

const scripted = await startScriptedModel([
  { call: "activate_skill", input: { name: "triage" } },
  { call: "read_skill_file", input: { skill: "triage", path: "references/labels.md" } },
  { call: "open_sections", input: { section_keys: ["issues"], reason: "The issue is needed." } },
  { call: "read_issue", input: { id: 7 } },
  { call: "return_result", input: { area: "login", urgency: "now" } },
]);
process.env.OPENAI_BASE_URL = `${scripted.url}/v1`;
process.env.OPENAI_API_KEY = "any";

// #region program
import { OpenAI } from "openai";
import { evaluatePrompt } from "skillset/openai";
import { AgentSkillsSection, defineTool, MarkdownSection, Prompt, PromptTemplate } from "skillset/prompt";
import { z } from "zod";

const readIssue = defineTool({
  name: "read_issue",
  description: "Read an issue",
  inputSchema: z.object({ id: z.number() }),
  handler: ({ id }) => `#${id}: Nobody can log in.`,
});
const template = new PromptTemplate({
  ns: "support",
  key: "triage",
  output: z.object({ area: z.string(), urgency: z.enum(["now", "later"]) }),
  sections: [
    new MarkdownSection({ title: "Task", key: "task", template: "Triage issue $id." }),
    new MarkdownSection({
      title: "Issues",
      key: "issues",
      summary: "How to read issues.",
      template: "Call `read_issue` with the number.",
      tools: [readIssue],
      visibility: "summary", // opened by the model, and its tool with it
    }),
    new AgentSkillsSection({ skillsDir: new URL("./skills", import.meta.url) }),
  ],
});

const client = new OpenAI(); // { baseURL } for any compatible endpoint
const { output } = await evaluatePrompt({
  client,
  prompt: new Prompt(template).bind({ id: 7 }),
  request: { model: "gpt-5" },
  onEvent: (event) => console.log(event.type), // SkillActivated
});
console.log(output.area, output.urgency);
// #endregion

assert.deepEqual(output, { area: "login", urgency: "now" });
assert.deepEqual(scripted.faults, []);
const results = scripted.requests.at(-1)?.toolResults.map(({ text }) => text) ?? [];
assert.match(results[0] ?? "", /Choose one area and one urgency/);
assert.match(results[1] ?? "", /billing, login, search/);
assert.equal(results[3], "#7: Nobody can log in.");
assert.ok(!scripted.requests[0]?.tools.includes("read_issue"));
await scripted.close();
