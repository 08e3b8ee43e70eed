import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { skillMd, temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { type ScriptStep, startScriptedAgent } from "../../../../testing/src/index.ts";
import {
  AgentSkillsSection,
  defineTool,
  MarkdownSection,
  Prompt,
  PromptTemplate,
  type Section,
  SkillRef,
  SkillSection,
  SkillsSection,
} from "../../prompt/index.ts";
import { type ConnectAgentOptions, connectAgent } from "../index.ts";

async function start(script: readonly ScriptStep[], options: ConnectAgentOptions = {}) {
  const scripted = await startScriptedAgent(script);
  const agent = await connectAgent(scripted.app, options);
  onTestFinished(async () => {
    await agent.close();
    await scripted.close();
  });
  const results = () => scripted.requests.at(-1)?.toolResults.map(({ text }) => text) ?? [];
  return { agent, scripted, results, text: () => scripted.requests[0]?.messages[0]?.text ?? "" };
}

const TASK = new MarkdownSection({ title: "Task", key: "task", template: "Triage issue 7." });
const label = defineTool({
  name: "label",
  description: "Labels an issue",
  inputSchema: z.object({ id: z.number() }),
  handler: ({ id }) => `labelled ${id}`,
});
const TRIAGE = new SkillSection({
  name: "triage",
  description: "Triages issues.",
  title: "Triage",
  template: "Call `label`.",
  tools: [label],
});
const OUTPUT = z.object({ done: z.boolean() });
const OPEN = { section_keys: ["triage"], reason: "An issue." };

function promptOf<Output = unknown>(sections: readonly Section[], output?: z.ZodType<Output>) {
  return new Prompt(new PromptTemplate({ ns: "support", key: "inbox", sections, ...(output && { output }) }));
}

test("a prompt without output resolves to its response, with the agent's text", async () => {
  const { agent, text } = await start([{ say: "Done." }]);
  const response = await agent
    .think()
    .text("First: ")
    .prompt(promptOf([TASK]))
    .text("Last.")
    .run();
  expect(response).toEqual({ promptNs: "support", promptKey: "inbox", text: "Done.", output: undefined });
  expect(text()).toBe("First: \n## Task\n\nTriage issue 7.\nLast.");
});

test("the agent opens a section, calls its tool and returns the output, also in a conversation", async () => {
  const steps = (open: ScriptStep): readonly ScriptStep[] => [
    open,
    { call: "call_tool", input: { tool: "label", input: { id: 7 } } },
    { call: "return_result", input: { result: { done: true } } },
    { say: "Ready." },
  ];
  const one = await start(steps({ call: "open_sections", input: OPEN }));
  const response = await one.agent
    .think()
    .prompt(promptOf([TASK, TRIAGE], OUTPUT))
    .run();
  response.output.done satisfies boolean;
  expect(response).toMatchObject({ output: { done: true }, text: "Ready." });
  expect(one.text()).toContain("- open_sections: ");
  expect(one.text()).not.toMatch(/Call `label`|- label/);
  const [opened, labelled] = one.results();
  expect(opened).toMatch(/Call `label`[\s\S]*each called with `call_tool`[\s\S]*- label: Labels an issue\. Input: \{/);
  expect(labelled).toBe("labelled 7");

  const lasting = await start(steps({ call: "call_tool", input: { tool: "open_sections", input: OPEN } }));
  const later = await lasting.agent
    .session()
    .think()
    .prompt(promptOf([TASK, TRIAGE], OUTPUT))
    .run();
  expect(later).toMatchObject({ output: { done: true } });
  expect(lasting.results()[1]).toBe("labelled 7");
});

test("a tool of a closed section cannot be called, and read_section does not open it", async () => {
  const { agent, results } = await start([
    { call: "call_tool", input: { tool: "label", input: { id: 7 } } },
    { call: "read_section", input: { section_key: "triage" } },
    { call: "call_tool", input: { tool: "label", input: { id: 7 } } },
    { say: "Done." },
  ]);
  await agent
    .think()
    .prompt(promptOf([TRIAGE]))
    .run();
  expect(results()).toEqual([
    expect.stringContaining("There is no tool 'label'"),
    "## Triage\n\nCall `label`.",
    expect.stringContaining("There is no tool 'label'"),
  ]);
});

test("the agent loads a listed skill with tools, and an event reports it", async () => {
  const skillsDir = temporaryFolder({ "tea/SKILL.md": skillMd("tea", "Makes tea.") });
  const { agent, results, text } = await start([{ call: "activate_skill", input: { name: "tea" } }, { say: "Done." }]);
  const stream = agent
    .think()
    .prompt(promptOf([new AgentSkillsSection({ skillsDir })]))
    .stream({ include: ["skill-activated"] });
  const events = [];
  for await (const event of stream) events.push(event);
  expect(text()).toContain("<name>tea</name>");
  expect(text()).not.toContain("<location>");
  expect(results()[0]).toContain("tea");
  expect(events).toMatchObject([{ type: "skill-activated", skill: "tea" }]);
});

test("without a bridge, the prompt contains the locations of the skills", async () => {
  const skillsDir = temporaryFolder({ "tea/SKILL.md": skillMd("tea", "Makes tea.") });
  const { agent, text } = await start([{ say: "Done." }], { bridge: "none" });
  await agent
    .think()
    .prompt(promptOf([new AgentSkillsSection({ skillsDir, mountPath: "skills" })]))
    .run();
  expect(text()).toContain("<location>skills/tea</location>");
});

test("a second prompt, a schema beside it, other values and names that are used twice are errors", async () => {
  const { agent, scripted } = await start([{ say: "Done." }]);
  const prompt = promptOf([TASK]);
  expect(() => agent.think().prompt(prompt).prompt(prompt)).toThrow("A run has one prompt");
  expect(() => agent.think(OUTPUT).prompt(prompt)).toThrow("set 'output' of the prompt's template");
  expect(() => agent.think().prompt("Hi." as never)).toThrow(".prompt() requires a Prompt");
  const open = new MarkdownSection({ title: "Label", key: "label", template: "Label it.", tools: [label] });
  const twice = agent
    .think()
    .tool(label)
    .prompt(promptOf([open]));
  await expect(twice.run()).rejects.toThrow("Two tools are called 'label'");
  expect(scripted.requests).toEqual([]);
});

const teaFolder = () => temporaryFolder({ "tea/SKILL.md": skillMd("tea", "Makes tea.", "Steep it.") });
const COFFEE = { name: "coffee", description: "Makes coffee.", body: "Grind it." };

test("beside skills of the run, one activate_skill loads both these and the prompt's", async () => {
  const { agent, scripted, results } = await start([
    { call: "activate_skill", input: { name: "coffee" } },
    { call: "activate_skill", input: { name: "tea" } },
    { say: "Done." },
  ]);
  const section = new AgentSkillsSection({ skillsDir: teaFolder() });
  await agent
    .think()
    .skill(COFFEE)
    .prompt(promptOf([section]))
    .run();
  expect(scripted.requests[0]?.tools.filter((name) => name.endsWith("activate_skill"))).toHaveLength(1);
  expect(results()).toEqual([expect.stringContaining("Grind it."), expect.stringContaining("Steep it.")]);
});

test("in a conversation, activate_skill loads the prompt's skills", async () => {
  const { agent, results } = await start([{ call: "activate_skill", input: { name: "tea" } }, { say: "Done." }]);
  await agent
    .session()
    .think()
    .prompt(promptOf([new AgentSkillsSection({ skillsDir: teaFolder() })]))
    .run();
  expect(results()).toEqual([expect.stringContaining("Steep it.")]);
});

test("options that are undefined are those of the run", async () => {
  const { agent, results } = await start([{ call: "activate_skill", input: { name: "tea" } }, { say: "Done." }]);
  const section = new AgentSkillsSection({ skillsDir: teaFolder() });
  const options = { mode: undefined, session: undefined, scripts: undefined };
  await agent
    .think()
    .prompt(promptOf([section]), options)
    .run();
  expect(results()).toEqual([expect.stringContaining("Steep it.")]);
});

test("the run's permissions decide about scripts of the prompt's skills", async () => {
  const skillsDir = temporaryFolder({
    "tea/SKILL.md": skillMd("tea", "Makes tea."),
    "tea/scripts/brew.sh": "echo hot\n",
  });
  const script: ScriptStep = { call: "run_skill_script", input: { skill: "tea", script: "scripts/brew.sh" } };
  const { agent, results } = await start([script, { say: "Done." }], { scripts: { runner: "subprocess" } });
  const think = agent.think().prompt(promptOf([new AgentSkillsSection({ skillsDir })]));
  await think.run();
  expect(results()[0]).toContain("the run's permissions deny it");
  const allowed = await start([script, { say: "Done." }], { scripts: { runner: "subprocess" } });
  await allowed.agent
    .think()
    .permissions({ allow: ["execute"] })
    .prompt(promptOf([new AgentSkillsSection({ skillsDir })]))
    .run();
  expect(allowed.results()[0]).toContain("hot");
});

test("a tool of a closed section with the name of a tool of the run is an error", async () => {
  const { agent } = await start([{ say: "Done." }]);
  const run = agent
    .session()
    .think()
    .tool(label)
    .prompt(promptOf([TRIAGE]))
    .run();
  await expect(run).rejects.toThrow("Two tools are called 'label'");
});

test.each([
  { kind: "listed", call: "activate_skill", input: { name: "tea" } },
  { kind: "referenced", call: "open_sections", input: { section_keys: ["skills.tea"], reason: "Tea." } },
])("the agent is told the folder of a $kind skill with scripts", async ({ kind, call, input }) => {
  const skillsDir = temporaryFolder({
    "tea/SKILL.md": skillMd("tea", "Makes tea.", "Run scripts/steep.sh.\n"),
    "tea/scripts/steep.sh": "echo steeped\n",
  });
  const folder = join(skillsDir, "tea");
  const section =
    kind === "listed"
      ? new AgentSkillsSection({ skillsDir })
      : new SkillsSection({ skillRefs: [new SkillRef({ path: folder })] });
  const { agent, results } = await start([{ call, input }, { say: "Done." }]);
  await agent
    .think()
    .prompt(promptOf([TASK, section]))
    .run();
  expect(results().join("\n")).toContain(
    `Skill directory: ${folder}\nRelative paths in these instructions start there.`,
  );
});
