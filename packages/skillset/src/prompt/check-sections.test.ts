import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { AgentSkillsSection, Prompt, PromptTemplate } from "./index.ts";

/** A prompt with a section whose only skill is a link that leaves the folder. */
function linkedPrompt(): Prompt {
  const root = temporaryFolder({ "shared/tea/SKILL.md": skillMd("tea", "Makes tea."), "skills/README.md": "" });
  symlinkSync(join(root, "shared/tea"), join(root, "skills/tea"));
  const section = new AgentSkillsSection({ skillsDir: join(root, "skills"), key: "org" });
  return new Prompt(new PromptTemplate({ ns: "test", key: "tea", sections: [section] }));
}

const WARNINGS = [
  expect.stringMatching(/^Section 'org': 'tea' is a link that leaves its folder/),
  expect.stringMatching(/^Section 'org': .* contains no skill/),
];

test("a skill that is skipped because its link leaves the folder is reported by start()", () => {
  const warnings: string[] = [];
  const run = linkedPrompt().start({ onWarning: (message) => warnings.push(message) });
  expect(run.text).not.toContain("tea");
  expect(warnings).toEqual(WARNINGS);
});

test("without 'onWarning', it is a warning of the process, once for each message", () => {
  const emit = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  onTestFinished(() => emit.mockRestore());
  const prompt = linkedPrompt();
  prompt.start();
  prompt.start();
  expect(emit.mock.calls).toEqual(WARNINGS.map((warning) => [warning]));
});
