import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startScriptedModel } from "@skillset/testing";

// Replaces Codex: a program with its name that acts like an agent, without a language model.
const scripted = await startScriptedModel(
  [
    { call: "open_sections", input: { section_keys: ["issues"], reason: "The issue is needed." } },
    { call: "call_tool", input: { tool: "read_issue", input: { id: 7 } } },
    { call: "return_result", input: { area: "login", urgency: "now" } },
    { say: "Done." },
  ],
  { isSide: () => false },
);
const programs = mkdtempSync(join(tmpdir(), "skillset-example-"));
const program = fileURLToPath(new URL("../../test/acp/agent-program.ts", import.meta.url));
const script = `#!/bin/sh\nexec '${process.execPath}' '${program}' model ${scripted.url}\n`;
writeFileSync(join(programs, "codex-acp"), script, { mode: 0o755 });
process.env.PATH = `${programs}${delimiter}${process.env.PATH}`;
const homes = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`skillset-home-${process.pid}.`));

// #region program
import { evaluatePrompt } from "skillset/acp";
import { defineTool, MarkdownSection, Prompt, PromptTemplate, SkillRef, SkillsSection } from "skillset/prompt";
import { z } from "zod";

const readIssue = defineTool({
  name: "read_issue",
  description: "Read an issue",
  inputSchema: z.object({ id: z.number() }),
  handler: ({ id }) => `#${id}: Nobody can log in.`, // runs here, not in the agent
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
      visibility: "summary",
    }),
    // Without tools, it is installed in the agent's home and not part of the text.
    new SkillsSection({
      skillRefs: [new SkillRef({ path: "skills/triage", basePath: new URL(".", import.meta.url) })],
    }),
  ],
});

const { output } = await evaluatePrompt({
  agent: "codex", // needs codex-acp on the PATH, and OPENAI_API_KEY
  prompt: new Prompt(template).bind({ id: 7 }),
  permissions: { allow: ["read"] }, // other requests are refused
  timeout: 120_000,
  onEvent: (event) => console.log(event.type), // SkillsInstalled, and SkillActivated if Codex reads the skill
});
console.log(output.area, output.urgency);
// #endregion

assert.deepEqual(output, { area: "login", urgency: "now" });
assert.deepEqual(scripted.faults, []);
assert.doesNotMatch(scripted.requests[0]?.messages[0]?.text ?? "", /Call `read_issue`|Choose one area/);
assert.equal(scripted.requests.at(-1)?.toolResults[1]?.text, "#7: Nobody can log in.");
assert.deepEqual(homes(), []);
await scripted.close();
rmSync(programs, { recursive: true });
