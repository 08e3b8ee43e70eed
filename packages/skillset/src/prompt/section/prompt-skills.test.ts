import { expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../test/temporary-folder.ts";
import type { ConsentRequest } from "../../core/script/script.ts";
import type { ScriptOptions } from "../../core/script/script-options.ts";
import type { SessionTelemetry } from "../../core/session/telemetry.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { openSections } from "../open-sections.ts";
import { Prompt, type RenderOptions } from "../prompt.ts";
import { PromptTemplate } from "../prompt-template.ts";
import { AgentSkillsSection } from "./agent-skills-section.ts";
import type { Section } from "./section.ts";
import { SkillRef } from "./skill-ref.ts";
import { SkillSection } from "./skill-section.ts";
import { SkillsSection } from "./skills-section.ts";

const FILES = {
  "tea/SKILL.md": skillMd("tea", "Makes tea."),
  "tea/scripts/brew.sh": 'echo "brewing $1"; echo hot > "$OUTPUT_DIR/cup.txt"\n',
  "coffee/SKILL.md": skillMd("coffee", "Makes coffee."),
  "coffee/grind.sh": 'cat "$OUTPUT_DIR/cup.txt"\n',
  "plain/SKILL.md": skillMd("plain", "Has no scripts."),
};
const RUN = { skill: "tea", script: "scripts/brew.sh", args: ["green"] };

function scriptsWith(answer: "always" | "deny" = "always") {
  const asked: ConsentRequest[] = [];
  const consent = (request: ConsentRequest) => {
    asked.push(request);
    return answer;
  };
  return { asked, scripts: { runner: "subprocess", consent } satisfies ScriptOptions };
}

function render(section: Section, options: RenderOptions = {}) {
  return new Prompt(new PromptTemplate({ ns: "test", key: "prompt", sections: [section] })).render(options);
}

function skillsOf(...names: readonly string[]): SkillsSection {
  const folder = temporaryFolder(FILES);
  return new SkillsSection({ skills: names.map((name) => new SkillRef({ path: name, basePath: folder })) });
}

const namesOf = ({ tools }: { readonly tools: readonly { readonly name: string }[] }) => tools.map(({ name }) => name);
const TOOLS = ["run_skill_script", "read_skill_file"];

test("scripts of a SkillRef run once it is open, and not before", async () => {
  const { scripts, asked } = scriptsWith();
  const closed = render(skillsOf("tea", "coffee", "plain"), { scripts });
  expect(namesOf(closed)).toEqual([]);
  const { tools, rendered } = openSections(closed, { section_keys: ["skills.tea"], reason: "Tea." });
  expect(namesOf({ tools })).toEqual(TOOLS);
  const [run, read] = tools;
  expect(run?.inputSchema).toMatchObject({ properties: { skill: { enum: ["tea"] } } });
  expect(await run?.execute(RUN)).toMatchObject({ isError: false, data: { stdout: "brewing green\n", exitCode: 0 } });
  expect(await read?.execute({ skill: "tea", path: "$OUTPUT_DIR/cup.txt" })).toMatchObject({ text: "hot\n" });
  expect(await run?.execute({ skill: "coffee", script: "grind.sh" })).toMatchObject({ code: "skill-not-found" });
  const next = openSections(rendered, { section_keys: ["skills.coffee"], reason: "Coffee." }).rendered;
  const [later] = next.tools;
  expect(await later?.execute({ skill: "coffee", script: "grind.sh" })).toMatchObject({ data: { stdout: "hot\n" } });
  await later?.execute(RUN);
  expect(asked.map(({ skill }) => skill)).toEqual(["tea", "coffee"]);
});

test("a SkillRef with another name is read and run under that name", async () => {
  const { scripts, asked } = scriptsWith();
  const ref = new SkillRef({ path: "tea", basePath: temporaryFolder(FILES), name: "green-tea" });
  const [run, read] = render(new SkillsSection({ skillRefs: [ref] }), { open: ["skills.green-tea"], scripts }).tools;
  expect(await run?.execute({ ...RUN, skill: "green-tea" })).toMatchObject({ data: { stdout: "brewing green\n" } });
  const file = { skill: "green-tea", path: "scripts/brew.sh" };
  expect(await read?.execute(file)).toMatchObject({ text: FILES["tea/scripts/brew.sh"] });
  expect(asked.map(({ skill }) => skill)).toEqual(["green-tea"]);
});

test("scripts of an AgentSkillsSection run", async () => {
  const { scripts } = scriptsWith();
  const rendered = render(new AgentSkillsSection({ skillsDir: temporaryFolder(FILES) }), { scripts });
  expect(namesOf(rendered)).toEqual(TOOLS);
  expect(await rendered.tools[0]?.execute(RUN)).toMatchObject({ data: { stdout: "brewing green\n" } });
});

test("without a runner only files are read, and without files or for installed skills there is no operation", () => {
  const { scripts } = scriptsWith();
  const open = ["skills.tea"];
  const section = skillsOf("tea");
  const shown = render(section, { open, scripts });
  const silent = render(section, { open });
  expect([namesOf(shown), namesOf(silent)]).toEqual([TOOLS, ["read_skill_file"]]);
  expect(shown.text).toBe(silent.text);
  expect(namesOf(render(skillsOf("plain"), { open: ["skills.plain"], scripts }))).toEqual([]);
  expect(namesOf(render(section, { installed: ["tea"], scripts }))).toEqual([]);
  const inline = new SkillSection({ name: "code", description: "In code.", title: "Code", template: "# Code" });
  expect(namesOf(render(inline, { open: ["code"], scripts }))).toEqual([]);
});

test("a denial and a runner that does not work are errors for the model", async () => {
  const denied = render(skillsOf("tea"), { open: ["skills.tea"], scripts: scriptsWith("deny").scripts });
  expect(await denied.tools[0]?.execute(RUN)).toMatchObject({ isError: true, code: "script-refused" });
  const runner = { level: "broken", check: async () => "It is broken.", run: async () => ({}) as never };
  const broken = render(skillsOf("tea"), { open: ["skills.tea"], scripts: { runner } });
  expect(await broken.tools[0]?.execute(RUN)).toMatchObject({
    isError: true,
    code: "scripts-disabled",
    text: expect.stringContaining("It is broken."),
  });
});

test("a session records the runs, and a signal ends one", async () => {
  const session = await (await createSkillset([])).session();
  const { scripts } = scriptsWith();
  const [run] = render(skillsOf("tea"), { open: ["skills.tea"], scripts, session }).tools;
  await run?.execute(RUN);
  expect(session.ledger.entries).toMatchObject([
    { type: "script-consent", skill: "tea", answer: "always" },
    { type: "script-run", skill: "tea", outcome: "exited" },
  ]);
  expect(await run?.execute(RUN, { signal: AbortSignal.abort() })).toMatchObject({ data: { outcome: "aborted" } });
});

test("the consent of a session overrides that of the prompt", async () => {
  const session = await (await createSkillset([])).session({ scripts: { consent: () => "deny" } });
  const { scripts, asked } = scriptsWith();
  const [run] = render(skillsOf("tea"), { open: ["skills.tea"], scripts, session }).tools;
  expect(await run?.execute(RUN)).toMatchObject({ isError: true, code: "script-refused" });
  expect(asked).toEqual([]);
});

test("consent that a session has for its own runner does not count for that of a prompt", async () => {
  const skillsDir = temporaryFolder(FILES);
  const [own, ofPrompt] = [scriptsWith(), scriptsWith()];
  const skillset = await createSkillset([skillsDir], { scripts: own.scripts });
  const session = await skillset.session();
  await session.scripts.run("tea", "scripts/brew.sh");
  expect([own.asked.length, ofPrompt.asked.length]).toEqual([1, 0]);
  const rendered = render(new AgentSkillsSection({ skillsDir }), { scripts: ofPrompt.scripts, session });
  expect(await rendered.tools[0]?.execute(RUN)).toMatchObject({ data: { stdout: "brewing green\n" } });
  expect([own.asked.length, ofPrompt.asked.length]).toEqual([1, 1]);
  expect(session.skillset).toBe(skillset);
});

test("telemetry of the session observes the scripts of a prompt", async () => {
  const operations: string[] = [];
  const telemetry: SessionTelemetry = {
    follow: (operation, work) => {
      operations.push(`${operation.session} ${operation.operation} ${operation.skill}`);
      return work();
    },
    record: () => {},
  };
  const session = await (await createSkillset([])).session({ id: "chat-1", telemetry });
  const { scripts } = scriptsWith();
  const rendered = render(skillsOf("tea"), { open: ["skills.tea"], scripts, session });
  await rendered.tools[0]?.execute(RUN);
  expect(operations).toEqual(["chat-1 run tea"]);
});
