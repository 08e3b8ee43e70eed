import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { type ScriptedAgentOptions, type ScriptStep, startScriptedAgent } from "../../../../testing/src/index.ts";
import { createSkillset, defineSkill, defineTool, SkillError } from "../../index.ts";
import { connectAgent, type ThinkEvent } from "../index.ts";

const TESTS = {
  name: "test-writer",
  description: "Writes tests.",
  body: "Call `count` with the text, then write the tests.",
  tools: [
    {
      name: "count",
      description: "Counts lines",
      inputSchema: z.object({ text: z.string() }),
      handler: ({ text }: { text: string }) => ({ lines: text.split("\n").length }),
    },
  ],
};

async function start(script: readonly ScriptStep[], options: ScriptedAgentOptions = {}) {
  const scripted = await startScriptedAgent(script, options);
  const agent = await connectAgent(scripted.app);
  onTestFinished(async () => {
    await agent.close();
    await scripted.close();
  });
  return { agent, scripted, prompt: () => scripted.requests[0]?.messages[0]?.text ?? "" };
}

/** A folder with a skill, and a file next to it. */
function storedSkill(frontmatter = "name: guide\ndescription: Guides people.") {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "guide/references"), { recursive: true });
  writeFileSync(
    join(folder, "guide/SKILL.md"),
    `---\n${frontmatter}\n---\nRead references/map.md, run scripts/go.sh.\n`,
  );
  writeFileSync(join(folder, "guide/references/map.md"), "North is up.");
  writeFileSync(join(folder, "secret.txt"), "secret");
  return folder;
}

async function eventsOf(stream: AsyncIterable<ThinkEvent>) {
  const events: ThinkEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

describe("a prompt", () => {
  test("starts with the catalog, followed by the caller's parts in order, the tools and how to return the result", async () => {
    const { agent, prompt } = await start([{ call: "return_result", input: { ok: true } }, { say: "Done." }]);
    await agent
      .think(z.object({ ok: z.boolean() }))
      .text("Review ")
      .skill(TESTS)
      .code("const a = 1;", "ts")
      .tool("lookup", "Looks up a ticket", z.object({ id: z.number() }), () => "ticket")
      .textln("please, and")
      .quote("be kind", "wish")
      .system("You are careful.")
      .run();
    expect(prompt()).toBe(`<available_skills>
  <skill>
    <name>test-writer</name>
    <description>Writes tests.</description>
  </skill>
</available_skills>

When a task matches the description of one of these skills, load its instructions before you use it.
Call \`activate_skill\` with the skill's name, then follow the instructions that it returns.
Read a skill's files with \`read_skill_file\`, only those that its instructions send you to.
Call a skill's tools with \`call_skill_tool\`, once it is active.
Use the tools of the MCP server \`skillset\`, not others of the same name.

You are careful.

Review 
\`\`\`ts
const a = 1;
\`\`\`
please, and
<wish>
be kind
</wish>

Available tools of the MCP server \`think\`:
- lookup: Looks up a ticket

When you are done, call the tool \`return_result\` of the MCP server \`think\` with the result.`);
  });

  test("without skills, tools and a schema is only the caller's text, and the agent gets no server", async () => {
    const { agent, scripted, prompt } = await start([{ say: "Hello." }]);
    expect(await agent.think().text("Hi.").run()).toBe("Hello.");
    expect(prompt()).toBe("Hi.");
    expect(scripted.requests[0]?.tools).toEqual([]);
  });

  test("lists skills in the order of attachment, with names and descriptions only", async () => {
    const { agent, prompt } = await start([{ say: "Hello." }]);
    const folder = storedSkill();
    const set = await createSkillset([defineSkill({ name: "zebra", description: "Z", body: "Stripes." })]);
    await agent
      .think()
      .skill(set)
      .text("Hi.")
      .skill(join(folder, "guide"))
      .skill({ name: "ant", description: "A", body: "Small." })
      .run();
    expect([...prompt().matchAll(/<name>(.*)<\/name>/g)].map(([, name]) => name)).toEqual(["zebra", "guide", "ant"]);
    expect(prompt()).not.toMatch(/Stripes|Small|references\/map|secret/);
  });

  test("offers exactly three skill operations, and the caller's tools on another server", async () => {
    const { agent, scripted, prompt } = await start([
      { call: "mcp__think__count", input: { input: 1 } },
      { call: "call_skill_tool", input: { skill: "test-writer", tool: "count", input: { text: "a\nb" } } },
      { say: "Done." },
    ]);
    await agent
      .think()
      .skill(TESTS)
      .tool("count", "Counts sheep", () => "sheep")
      .text("Hi.")
      .run();
    expect(scripted.requests[0]?.tools).toEqual([
      "mcp__skillset__activate_skill",
      "mcp__skillset__read_skill_file",
      "mcp__skillset__call_skill_tool",
      "mcp__think__count",
    ]);
    expect(prompt()).not.toContain("Counts lines");
    expect(scripted.requests.at(-1)?.toolResults.map(({ text }) => text)).toEqual(["sheep", '{"lines":2}']);
  });

  test("does not list a hidden tool, but it can be called", async () => {
    const { agent, scripted, prompt } = await start([{ call: "secret", input: {} }, { say: "Done." }]);
    await agent
      .think()
      .defineTool("secret", "A secret", () => "found")
      .text("Find it.")
      .run();
    expect(prompt()).toBe("Find it.");
    expect(scripted.requests[1]?.toolResults[0]?.text).toBe("found");
  });

  test("accepts tools defined elsewhere, listed or not", async () => {
    const inputSchema = z.object({ text: z.string() });
    const count = defineTool({ name: "count", description: "Counts", inputSchema, handler: ({ text }) => text.length });
    const calls = [
      { call: "count", input: { text: "abc" } },
      { call: "recount", input: { text: "ab" } },
    ];
    const { agent, scripted, prompt } = await start([{ calls }, { say: "Done." }]);
    await agent
      .think()
      .tool(count)
      .defineTool({ ...count, name: "recount" })
      .text("Count.")
      .run();
    expect(prompt()).toMatch(/count: Counts$/m);
    expect(prompt()).not.toContain("recount");
    expect(scripted.requests[1]?.toolResults.map(({ text }) => text)).toEqual(["3", "2"]);
  });

  test("contains the content of a file at the start of the run", async () => {
    const { agent, prompt } = await start([{ say: "Done." }]);
    const folder = temporaryFolder();
    const think = agent.think().cwd(folder).text("See ").file("notes.md");
    writeFileSync(join(folder, "notes.md"), "A ``` in it");
    await think.run();
    expect(prompt()).toBe("See \nnotes.md\n````md\nA ``` in it\n````");
    await expect(agent.think().cwd(folder).file("no.md").run()).rejects.toMatchObject({ code: "resource-not-found" });
  });

  test("starts with the instructions of the skill that it invokes by name", async () => {
    const { agent, prompt } = await start([{ say: "Done." }]);
    const notes = { name: "notes", description: "Takes notes.", body: "Write down: $ARGUMENTS" };
    await agent.think().skill(notes).text("/notes buy milk").run();
    expect(prompt()).toContain("Write down: buy milk");
  });
});

describe("a builder", () => {
  test("is immutable: a base can be branched", async () => {
    const { agent, scripted } = await start([{ say: "Done." }]);
    const base = agent.think().text("Base.");
    const [one, two] = [base.text(" One.").skill(TESTS), base.text(" Two.")];
    await two.run();
    await one.run();
    await base.run();
    const prompts = scripted.requests.map(({ messages }) => messages[0]?.text ?? "");
    expect(prompts.map((text) => text.split("\n").at(-1))).toEqual(["Base. Two.", "Base. One.", "Base."]);
    expect(prompts.map((text) => text.includes("test-writer"))).toEqual([false, true, false]);
  });

  test("throws immediately for invalid arguments", async () => {
    const { agent } = await start([]);
    const think = agent.think();
    const handler = () => "";
    expect(() => think.skill({ name: "Not A Name", description: "x", body: "" })).toThrow("Not A Name");
    expect(() => think.skill({ name: "ok", description: " ", body: "" })).toThrow(SkillError);
    expect(() => think.tool("a b", "x", handler)).toThrow("'a b'");
    expect(() => think.tool("return_result", "x", handler)).toThrow("reserved");
    expect(() => think.tool("x", "y", handler).tool("x", "z", handler)).toThrow("is already defined");
    expect(() => think.tool("x", "", handler)).toThrow("description");
    expect(() => think.tool("x", "y", undefined as never)).toThrow("handler");
    expect(() => think.text(7 as never)).toThrow(".text() requires a string");
    expect(() => think.quote("x", "a b")).toThrow("tag");
    expect(() => think.timeout(0)).toThrow("timeout");
    expect(() => think.permissions({ allow: [""] })).toThrow("pattern");
  });

  test("returns results of the schema's type", async () => {
    const { agent } = await start([{ call: "return_result", input: { n: 1 } }, { say: "Done." }]);
    const { n } = await agent
      .think(z.object({ n: z.number() }))
      .text("One.")
      .run();
    n satisfies number;
    const { agent: other } = await start([{ say: "Hello." }]);
    (await other.think().text("Hi.").run()) satisfies string;
    expect(n).toBe(1);
  });
});

describe("a stored skill", () => {
  test("is read when the run starts, from a folder or a SKILL.md below the run's cwd", async () => {
    const { agent, prompt } = await start([{ say: "Done." }]);
    const think = agent.think().skill("guide/SKILL.md").text("Hi.");
    await think.cwd(storedSkill()).run();
    expect(prompt()).toContain("<description>Guides people.</description>");
  });

  test.each([
    ["is missing", undefined, "source-not-found"],
    ["has an invalid name", "name: Guide Me\ndescription: x", "skill-invalid"],
    ["has no description", "name: guide", "skill-invalid"],
    ["has broken frontmatter", "name: [", "skill-invalid"],
  ])("that %s rejects the run before the agent is prompted", async (_what, frontmatter, code) => {
    const { agent, scripted } = await start([{ say: "Done." }]);
    const folder = frontmatter === undefined ? temporaryFolder() : storedSkill(frontmatter);
    await expect(agent.think().cwd(folder).skill("guide").text("Hi.").run()).rejects.toMatchObject({ code });
    expect(scripted.requests).toEqual([]);
  });

  test("that shares its name with another rejects the run", async () => {
    const { agent } = await start([{ say: "Done." }]);
    const other = { name: "guide", description: "Another.", body: "x" };
    const think = agent.think().cwd(storedSkill()).skill("guide").skill(other).text("Hi.");
    await expect(think.run()).rejects.toMatchObject({ code: "skill-collision" });
  });

  test("shows the agent its folder, so that it can run scripts; only its own files are read, on demand", async () => {
    const folder = storedSkill();
    symlinkSync(join(folder, "secret.txt"), join(folder, "guide/link.txt"));
    writeFileSync(join(folder, "guide/logo.png"), new Uint8Array([137, 80, 78, 71, 0, 1]));
    const read = (path: string, name = "guide") => ({ call: "read_skill_file", input: { skill: name, path } });
    const { agent, scripted } = await start([
      { call: "activate_skill", input: { name: "guide" } },
      read("references/map.md"),
      read("/etc/passwd"),
      read("../secret.txt"),
      read("link.txt"),
      read("logo.png"),
      read("x.md", "test-writer"),
      { say: "Done." },
    ]);
    await agent.think().skill(join(folder, "guide")).skill(TESTS).text("Hi.").run();
    const [activated, ...reads] = scripted.requests.at(-1)?.toolResults.map(({ text }) => text) ?? [];
    expect(activated).toContain('<skill_content name="guide">');
    expect(activated).toContain(join(folder, "guide"));
    expect(activated).toContain("references/map.md");
    expect(reads).toEqual([
      "North is up.",
      expect.stringContaining("Path must be relative"),
      expect.stringContaining("Path traversal is not allowed"),
      expect.not.stringContaining("secret"),
      expect.stringMatching(/binary|text/),
      expect.stringContaining("not a stored skill"),
    ]);
  });
});

describe("a skill in code", () => {
  test("has its tools called in this process, after their input is validated", async () => {
    const handler = vi.fn(async (input: { n: number }) =>
      input.n < 0 ? Promise.reject(new Error("negative")) : undefined,
    );
    const inputSchema = z.object({ n: z.number() });
    const maths = {
      name: "maths",
      description: "M",
      body: "Maths.",
      tools: [{ name: "root", description: "R", inputSchema, handler }],
    };
    const call = (input: unknown, tool = "root", name = "maths") => ({
      call: "call_skill_tool",
      input: { skill: name, tool, input },
    });
    const { agent, scripted } = await start([
      { call: "activate_skill", input: { name: "maths" } },
      call({ n: 4 }),
      call({ n: "four" }),
      call({ n: -1 }),
      call({}, "cube"),
      call({}, "root", "physics"),
      call({}, "x", "empty"),
      { say: "Done." },
    ]);
    const stream = agent
      .think()
      .skill(maths)
      .skill({ name: "empty", description: "E", body: "E" })
      .text("Hi.")
      .stream();
    const called = (await eventsOf(stream)).filter(({ type }) => type === "skill-tool-called");
    const [activated, ...results] = scripted.requests.at(-1)?.toolResults.map(({ text }) => text) ?? [];
    expect(activated).toContain("### root\nR\nInput: `{");
    expect(results).toEqual([
      "null",
      expect.stringContaining("Invalid input for tool 'root' of skill 'maths': n:"),
      expect.stringContaining("failed: negative"),
      "Skill 'maths' has no tool 'cube'. Its tools: root.",
      "Unknown skill 'physics'. Available: maths, empty.",
      "Skill 'empty' has no tools, so 'x' cannot be called.",
    ]);
    expect(handler).toHaveBeenCalledTimes(2);
    expect(called).toMatchObject([{ outcome: "succeeded" }, { outcome: "failed" }, { outcome: "failed" }]);
  });
});
