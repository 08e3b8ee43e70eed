import assert from "node:assert/strict";
// #region program
import {
  defineTool,
  MarkdownSection,
  openSections,
  openSectionsTool,
  Prompt,
  PromptTemplate,
  SkillSection,
  SkillsSection,
} from "skillset/prompt";
import { z } from "zod";

const lintCode = defineTool({
  name: "lint_code",
  description: "Run the linter on paths",
  inputSchema: z.object({ paths: z.array(z.string()) }),
  handler: ({ paths }) => ({ render: () => `Found ${paths.length} issues` }), // the text for the model
});
const linting = new SkillSection({
  name: "linting",
  description: "Code linting workflows with automated fixes.",
  title: "Linting",
  template: `
    1. Run \`lint_code\` on the changed files of $repo first
    2. Review by hand what cannot be fixed
  `,
  tools: [lintCode], // a skill with tools stays in the prompt
});
const template = new PromptTemplate({
  ns: "review",
  key: "lint",
  params: z.object({ repo: z.string() }),
  sections: [
    new MarkdownSection({ title: "Task", key: "task", template: "Lint $repo." }),
    new SkillsSection({ skills: [linting] }),
  ],
});

const first = new Prompt(template).bind({ repo: "shop" }).render();
console.log(first.text); // the task, a summary of the skill, and how to open it
console.log(first.tools, openSectionsTool(first)?.name); // no tools yet, except one that opens sections

const asked = { section_keys: ["skills.linting"], reason: "The task is linting." }; // the model's input
const { text, rendered } = openSections(first, asked, { onEvent: (event) => console.log(event.type) });
console.log(text); // the whole skill, for the model
const [lint] = rendered.tools; // available from now on
console.log(await lint?.execute({ paths: ["a.ts", "b.ts"] }));
// #endregion
assert.deepEqual(first.tools, []);
assert.ok(
  first.text.endsWith(
    'Call `open_sections` with key "skills.linting"\nto view full workflow and access tools: lint_code.]',
  ),
);
assert.match(text, /changed files of shop first/);
assert.equal(openSectionsTool(rendered), undefined);
assert.equal((await lint?.execute({ paths: ["a.ts", "b.ts"] }))?.text, "Found 2 issues");
assert.equal((await lint?.execute({ paths: 7 }))?.isError, true);
