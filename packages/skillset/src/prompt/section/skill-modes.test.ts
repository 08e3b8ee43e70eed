import { expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { Prompt, type RenderOptions } from "../prompt.ts";
import { PromptTemplate } from "../prompt-template.ts";
import { AgentSkillsSection, type AgentSkillsSectionOptions } from "./agent-skills-section.ts";
import type { PromptEvent } from "./events.ts";

const FILES = {
  "coffee/SKILL.md": skillMd("coffee", "Makes coffee.", "Grind the beans.\n"),
  "tea/SKILL.md": skillMd("tea", "Makes tea.", "Steep it, $5 a cup.\n"),
  "tea/references/leaves.md": "Sencha is green.\n",
};

function render(
  section: Partial<AgentSkillsSectionOptions> = {},
  options: RenderOptions = {},
  files: Record<string, string> = FILES,
) {
  const skills = new AgentSkillsSection({ skillsDir: temporaryFolder(files), ...section });
  return new Prompt(new PromptTemplate({ ns: "n", key: "k", sections: [skills] })).render(options);
}
const names = ({ tools }: { readonly tools: readonly { readonly name: string }[] }) => tools.map(({ name }) => name);

const CATALOG = (location: (name: string) => string) =>
  ["coffee", "tea"]
    .map((name) => {
      return `  <skill>\n    <name>${name}</name>\n    <description>Makes ${name}.</description>\n${location(name)}  </skill>\n`;
    })
    .join("");

test("files, the default: the catalog has locations, and no tools load skills", () => {
  const { text, tools } = render();
  const located = CATALOG((name) => `    <location>skills/${name}</location>\n`);
  expect(text).toBe(
    `## Agent Skills\n\n<available_skills>\n${located}</available_skills>\n\n` +
      "When a task matches an available skill:\n" +
      "1. Read the skill's SKILL.md file, at its location, for the full instructions.\n" +
      "2. Follow those instructions step by step.\n" +
      "3. Use the scripts and references in the skill's folder as they ask for them.",
  );
  expect(tools).toEqual([]);
  expect(render({}, { mode: "files" }).text).toBe(text);
});

test("tools: the catalog has no locations, and the rules name the tools that are offered", () => {
  const { text, tools } = render({}, { mode: "tools" });
  const rules = text.split("</available_skills>\n\n")[1] ?? "";
  expect(text).toContain(`<available_skills>\n${CATALOG(() => "")}</available_skills>`);
  expect(rules).toContain("load its instructions before you use it.");
  expect(rules.match(/`\w+_skill\w*`/g)).toEqual(["`activate_skill`", "`read_skill_file`"]);
  expect(names({ tools })).toEqual(["activate_skill", "read_skill_file"]);
});

test("tools: with scripts, the rules and the tools have the one that runs them", () => {
  const scripts = { runner: "subprocess" } as const;
  const files = { ...FILES, "tea/scripts/brew.sh": "echo hot\n" };
  const { text, tools } = render({}, { mode: "tools", scripts }, files);
  expect(text).toContain("`run_skill_script`");
  expect(names({ tools })).toEqual(["activate_skill", "run_skill_script", "read_skill_file"]);
});

test("tools: a loaded skill emits an event, becomes active in both sessions, and its files can be read", async () => {
  const skillset = await createSkillset([]);
  const [own, given] = [await skillset.session(), await skillset.session()];
  const events: PromptEvent[] = [];
  const { tools } = render({ session: own }, { mode: "tools", session: given, onEvent: (event) => events.push(event) });
  const [load, read] = tools;
  expect(await load?.execute({ name: "tea" })).toMatchObject({
    isError: false,
    text: expect.stringContaining("Steep it, $5 a cup."),
  });
  expect(events).toMatchObject([
    { type: "SkillActivated", skillName: "tea", skillPath: expect.stringMatching(/tea$/) },
  ]);
  expect([own.active, given.active]).toEqual([["tea"], ["tea"]]);
  expect(await read?.execute({ skill: "tea", path: "references/leaves.md" })).toMatchObject({
    text: "Sencha is green.\n",
  });
  expect(await load?.execute({ name: "cocoa" })).toMatchObject({ isError: true, code: "skill-not-found" });
  expect(events).toHaveLength(1);
});

test("inject: the text has all instructions unchanged, and no tools load skills", () => {
  const { text, tools } = render({}, { mode: "inject" });
  expect(text).toBe("## Agent Skills\n\n### coffee\n\nGrind the beans.\n\n### tea\n\nSteep it, $5 a cup.");
  expect(tools).toEqual([]);
});

test("inject: an override follows the instructions", () => {
  const overrides = { "agent-skills": "Follow them." };
  const { text } = render({ acceptsOverrides: true }, { mode: "inject", overrides });
  expect(text).toMatch(/Steep it, \$5 a cup\.\n\nFollow them\.$/);
});

test("inject: long instructions are cut with a notice", () => {
  const files = { "long/SKILL.md": skillMd("long", "Long.", "word ".repeat(60_000)) };
  const { text } = render({}, { mode: "inject" }, files);
  expect(text.length).toBeLessThan(201_000);
  expect(text).toMatch(/SKILL\.md/);
});

test("the section's own mode wins", () => {
  expect(render({ mode: "inject" }, { mode: "tools" }).text).toContain("Grind the beans.");
  expect(names(render({ mode: "tools" }, { mode: "files" }))).toContain("activate_skill");
});

test("a summarised section lists names, and its tools are offered once it is open", () => {
  const closed = render({ visibility: "summary" }, { mode: "tools" });
  expect(closed.text).toContain("coffee");
  expect(closed.tools).toEqual([]);
  expect(names(closed.reopen(["agent-skills"]))).toEqual(["activate_skill", "read_skill_file"]);
});

test("with names omitted from the catalog, the model searches: with a tool, or in the folder", () => {
  const many = Object.fromEntries(
    Array.from({ length: 210 }, (_, index) => [`s${index}/SKILL.md`, skillMd(`s${index}`)]),
  );
  const catalog = { budget: { tokens: 300 } };
  const tools = render({ catalog }, { mode: "tools" }, many);
  expect(tools.text).toMatch(/call `search_skills` to find them/);
  expect(names(tools)).toEqual(["activate_skill", "read_skill_file", "search_skills"]);
  const files = render({ catalog }, { mode: "files" }, many);
  expect(files.text).toMatch(/list the folder `skills` to find them/);
  expect(files.tools).toEqual([]);
});

test.each([
  ["render", () => render({}, { mode: "native" as never })],
  ["the section", () => render({ mode: "native" as never })],
])("%s refuses an unknown mode", (_name, work) => {
  expect(work).toThrow(/'mode' must be/);
});
