import { expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../test/temporary-folder.ts";
import type { SessionTelemetry } from "../../core/session/telemetry.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { Prompt, type RenderOptions } from "../prompt.ts";
import { PromptTemplate } from "../prompt-template.ts";
import { AgentSkillsSection } from "./agent-skills-section.ts";
import type { PromptEvent } from "./events.ts";

const TEA = { "tea/SKILL.md": skillMd("tea", "Makes tea.", "Steep it."), "tea/leaves.md": "Sencha." };

function toolsOf(folders: readonly Record<string, string>[], options: RenderOptions = {}) {
  const sections = folders.map(
    (files, index) => new AgentSkillsSection({ skillsDir: temporaryFolder(files), key: `skills-${index}` }),
  );
  const template = new PromptTemplate({ ns: "n", key: "k", sections });
  const { tools, text } = new Prompt(template).render({ mode: "tools", ...options });
  const call = (name: string, input: unknown) => tools.find((tool) => tool.name === name)?.execute(input);
  return { tools, text, call };
}

test("a skill that the model names in another argument is recorded too", async () => {
  const session = await (await createSkillset([])).session();
  const events: PromptEvent[] = [];
  const { call } = toolsOf([TEA], { session, onEvent: (event) => events.push(event) });
  expect(await call("activate_skill", { skill_name: "tea" })).toMatchObject({ isError: false });
  expect(events).toMatchObject([{ type: "SkillActivated", skillName: "tea" }]);
  expect(session.active).toEqual(["tea"]);
});

test("telemetry and the ledger get each operation once, with its attributes", async () => {
  const seen: string[] = [];
  const telemetry: SessionTelemetry = {
    follow: ({ operation }, work) => {
      seen.push(`follow ${operation}`);
      return work();
    },
    record: ({ type }, attributes) => void seen.push(`record ${type} ${Object.keys(attributes).length > 0}`),
  };
  const session = await (await createSkillset([])).session({ telemetry });
  const { call } = toolsOf([TEA], { session });
  await call("activate_skill", { name: "tea" });
  await call("read_skill_file", { skill: "tea", path: "leaves.md" });
  expect(seen).toEqual(["follow activate", "record skill-activated true", "follow read", "record file-read true"]);
  expect(session.ledger.entries.map(({ type }) => type)).toEqual(["skill-activated", "file-read"]);
});

test("the session's budget limits the skills that the model loads", async () => {
  const session = await (await createSkillset([])).session({ budget: { tokens: 1 } });
  const { call } = toolsOf([TEA], { session });
  expect(await call("activate_skill", { name: "tea" })).toMatchObject({ isError: true, code: "budget-exceeded" });
  expect(session.active).toEqual([]);
});

test("of two listed skills with one name, the first is listed, loaded and reported", async () => {
  const events: PromptEvent[] = [];
  const other = { "tea/SKILL.md": skillMd("tea", "Other tea.", "Boil it.") };
  const { call, tools } = toolsOf([TEA, other], { onEvent: (event) => events.push(event) });
  expect(tools[0]?.inputSchema).toMatchObject({ properties: { name: { enum: ["tea"] } } });
  expect(await call("activate_skill", { name: "tea" })).toMatchObject({ text: expect.stringContaining("Steep it.") });
  expect(events).toHaveLength(1);
});

test("without a script in any skill, the rules do not name the operation for scripts", () => {
  const { text, tools } = toolsOf([TEA], { scripts: { runner: "subprocess" } });
  expect(text).not.toContain("run_skill_script");
  expect(tools.map(({ name }) => name)).not.toContain("run_skill_script");
});
