import {
  Client,
  type ClientOptions,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { SKILLS_EXTENSION_ID } from "@modelcontextprotocol/client/ext/skills";
import { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { skillMd, temporaryFolder, writeFiles } from "../../../../../test/temporary-folder.ts";
import { defineSkill } from "../../core/skill/define-skill.ts";
import type { Skill } from "../../core/skill/skill.ts";
import type { Skillset } from "../../core/skillset.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { createSkillsServer, type SkillsServer, type SkillsServerOptions } from "./skills-server.ts";

const ERAS = ["legacy", "modern"] as const;
type Era = (typeof ERAS)[number];

const invoices = defineSkill({
  name: "invoices",
  description: "Explains invoices.",
  body: "# Invoices\nUse `find` for $ARGUMENTS.",
  tools: [
    {
      name: "find",
      description: "Finds one",
      inputSchema: z.object({ id: z.string() }),
      handler: ({ id }) => ({ id, paid: true }),
    },
    { name: "echo", description: "Echoes", handler: (input) => input },
    { name: "nothing", description: "Returns nothing", handler: () => undefined },
    {
      name: "fail",
      description: "Fails",
      handler: () => Promise.reject(new Error("no such invoice in /var/lib/app/db.sqlite")),
    },
  ],
});
const orders = defineSkill({
  name: "orders",
  description: "Explains orders.",
  body: "# Orders",
  tools: [{ name: "echo", description: "Echoes", handler: (input) => ({ order: input }) }],
});
const secret = defineSkill({
  name: "secret",
  description: "For people.",
  body: "Hidden steps.",
  disableModelInvocation: true,
  tools: [{ name: "peek", description: "Peeks", handler: () => "peeked" }],
});
const quiet = defineSkill({ name: "quiet", description: "For models.", body: "Quiet steps.", userInvocable: false });

const pdfFiles = {
  "pdf/SKILL.md": skillMd("pdf", "Reads PDFs.", "# PDF\nRead references/a.md."),
  "pdf/references/a.md": "Reference text",
  "pdf/logo.png": new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1]),
};

/** A server for a folder with the skill `pdf`, and the given skills in code. */
async function serve(skills: readonly Skill[] = [invoices, orders, secret, quiet], options: SkillsServerOptions = {}) {
  const root = temporaryFolder(pdfFiles);
  const skillset = await createSkillset([root, ...skills]);
  return { root, skillset, server: open(skillset, options) };
}

function open(skillset: Skillset, options: SkillsServerOptions = {}): SkillsServer {
  const server = createSkillsServer(skillset, options);
  onTestFinished(() => server.close());
  return server;
}

/** A client with its own connection, using the protocol of 2025 or of 2026. */
async function connect(
  server: SkillsServer,
  { era = "modern", name, showDirectory, ...options }: ClientOptions & ConnectOptions = {},
) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const connection = await server.connect(far, showDirectory === undefined ? {} : { showDirectory });
  const client = createClient(era, options, name);
  await client.connect(near);
  expect(client.getProtocolEra()).toBe(era);
  return { client, connection };
}

interface ConnectOptions {
  readonly era?: Era;
  readonly name?: string;
  readonly showDirectory?: boolean;
}

function createClient(era: Era, options: ClientOptions = {}, name = "test"): Client {
  const mode = era === "legacy" ? "legacy" : "auto";
  const client = new Client({ name, version: "1.0.0" }, { versionNegotiation: { mode }, ...options });
  onTestFinished(() => client.close());
  return client;
}

/** A client over `fetch`, without a network. */
async function fetching(server: SkillsServer, era: Era) {
  const transport = new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
    fetch: (url, init) => server.fetch(new Request(url, init)),
  });
  const client = createClient(era);
  await client.connect(transport);
  return client;
}

async function call(client: Client, name: string, input: Record<string, unknown>) {
  const { content, isError = false, structuredContent } = await client.callTool({ name, arguments: input });
  expect(content).toHaveLength(1);
  const [{ type, text }] = content as [{ type: string; text: string }];
  expect(type).toBe("text");
  return { text, isError, structuredContent };
}

const callTool = (client: Client, skillName: string, tool: string, input: unknown) =>
  call(client, "call_skill_tool", { skill: skillName, tool, input });

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

describe.each(ERAS)("a client of the %s era", (era) => {
  test("finds one server, named skillset", async () => {
    const { client } = await connect((await serve()).server, { era });
    expect(client.getServerVersion()?.name).toBe("skillset");
  });

  test("gets no instructions, no tools and no prompts of an empty set", async () => {
    const { client } = await connect(open(await createSkillset([])), { era });
    expect(client.getInstructions()).toBeUndefined();
    expect(await namesOf(client)).toEqual([]);
    expect((await client.listPrompts()).prompts).toEqual([]);
    expect((await client.listResources()).resources).toEqual([]);
  });

  test("finds exactly three tools", async () => {
    const { client } = await connect((await serve()).server, { era });
    expect(await namesOf(client)).toEqual(["activate_skill", "read_skill_file", "call_skill_tool"]);
  });

  test("gets the instructions and the files of a skill that it activates", async () => {
    const { server, root } = await serve();
    const { client, connection } = await connect(server, { era });
    const { text, isError, structuredContent } = await call(client, "activate_skill", { name: "pdf" });
    expect(isError).toBe(false);
    expect(text).toMatch(/^<skill_content name="pdf">\n# PDF\n[\s\S]*<\/skill_content>$/);
    expect(text).toContain("  <file>references/a.md</file>");
    expect(structuredContent).toMatchObject({ name: "pdf", files: ["logo.png", "references/a.md"], moreFiles: 0 });
    expect(JSON.stringify([text, structuredContent])).not.toContain(root);
    expect(connection.session.active).toEqual(["pdf"]);
  });

  test("gets an unknown skill's name in an error result", async () => {
    const { client } = await connect((await serve()).server, { era });
    expect(await call(client, "activate_skill", { name: "pfd" })).toEqual({
      isError: true,
      text: "Unknown skill 'pfd'. Available: pdf, invoices, orders, quiet.",
      structuredContent: undefined,
    });
  });

  test("reads a file of a skill", async () => {
    const { client } = await connect((await serve()).server, { era });
    expect(await call(client, "read_skill_file", { skill: "pdf", path: "references/a.md" })).toEqual({
      isError: false,
      text: "Reference text",
      structuredContent: {
        skill: "pdf",
        path: "references/a.md",
        mediaType: "text/markdown",
        content: "Reference text",
        truncated: false,
        bytes: 14,
      },
    });
  });

  test("gets an error for an unknown tool", async () => {
    const { client } = await connect((await serve()).server, { era });
    await expect(client.callTool({ name: "find", arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: "There is no tool 'find'.",
    });
  });

  test("gets an error for missing arguments", async () => {
    const { client } = await connect((await serve()).server, { era });
    const { content, isError } = await client.callTool({ name: "activate_skill" });
    expect({ content, isError }).toEqual({
      isError: true,
      content: [{ type: "text", text: "'name' must be a string." }],
    });
  });
});

describe("the tools", () => {
  test("are three for a set of only folders, and those that use a skill for a set that only people may invoke", async () => {
    const folders = open(await createSkillset([temporaryFolder(pdfFiles)]));
    expect(await namesOf((await connect(folders)).client)).toHaveLength(3);
    const hidden = open(await createSkillset([secret]));
    const { client } = await connect(hidden);
    expect(await namesOf(client)).toEqual(["read_skill_file", "call_skill_tool"]);
    expect(JSON.stringify(await client.listTools())).not.toContain("secret");
  });

  test("include others only if the operator enables them", async () => {
    const include = ["activate_skill", "deactivate_skill"] as const;
    const { server } = await serve(undefined, { operations: { include } });
    const { client, connection } = await connect(server);
    expect(await namesOf(client)).toEqual(["activate_skill", "deactivate_skill"]);
    await call(client, "activate_skill", { name: "pdf" });
    expect((await call(client, "deactivate_skill", { name: "pdf" })).text).toBe("Skill 'pdf' is no longer active.");
    expect(connection.session.active).toEqual([]);
    await expect(client.callTool({ name: "call_skill_tool", arguments: {} })).rejects.toMatchObject({ code: -32602 });
    expect(client.getInstructions()).toContain("`activate_skill`");
    expect(client.getInstructions()).not.toMatch(/call_skill_tool|read_skill_file/);
  });

  test("return only text to clients that would show their model nothing but the structure, unless configured", async () => {
    const { server } = await serve();
    for (const era of ERAS) {
      for (const [name, isStructured] of [
        ["claude-code", false],
        ["codex-mcp-client", false],
        ["another", true],
      ] as const) {
        const { client } = await connect(server, { era, name });
        const { text, structuredContent } = await call(client, "activate_skill", { name: "pdf" });
        expect(text).toContain("# PDF");
        expect(structuredContent !== undefined).toBe(isStructured);
      }
    }
    const told = await connect((await serve(undefined, { structured: true })).server, { name: "claude-code" });
    expect((await call(told.client, "activate_skill", { name: "pdf" })).structuredContent).toBeDefined();
    const mute = await connect((await serve(undefined, { structured: false })).server);
    expect((await call(mute.client, "activate_skill", { name: "pdf" })).structuredContent).toBeUndefined();
  });

  test("have the names and argument names that the operator sets", async () => {
    const aliases = { read_skill_file: { name: "skills_read", arguments: { skill: "name" } } };
    const { client } = await connect((await serve(undefined, { operations: { aliases } })).server);
    expect(await namesOf(client)).toContain("skills_read");
    expect(client.getInstructions()).toContain("`skills_read`");
    const { text, structuredContent } = await call(client, "skills_read", { name: "pdf", path: "references/a.md" });
    expect(text).toBe("Reference text");
    expect(structuredContent).toMatchObject({ name: "pdf" });
  });

  test("have titles for people, and annotations for whether they change anything", async () => {
    const { client } = await connect((await serve()).server);
    const { tools } = await client.listTools();
    const reads = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
    expect(tools.map(({ annotations }) => annotations)).toEqual([
      { title: "Activate skill", ...reads },
      { title: "Read skill file", ...reads },
      { title: "Call skill tool", readOnlyHint: false },
    ]);
    expect(tools.map(({ title }) => title)).toEqual(["Activate skill", "Read skill file", "Call skill tool"]);
  });

  test.each([
    [50, true],
    [51, false],
  ])("of %i skills list the names in an enum: %s", async (count, isNamed) => {
    const { client } = await connect(open(await createSkillset(manySkills(count))));
    const [activate] = (await client.listTools()).tools;
    const name = activate?.inputSchema.properties?.name as { enum?: readonly string[] };
    expect(name.enum).toEqual(isNamed ? expect.objectContaining({ length: count }) : undefined);
  });

  test("that the extension replaces are withheld only from clients that support it", async () => {
    const { server } = await serve(undefined, { withholdTools: true });
    const capabilities = { extensions: { [SKILLS_EXTENSION_ID]: {} } };
    for (const era of ERAS) {
      expect(await namesOf((await connect(server, { era, capabilities })).client)).toEqual(["call_skill_tool"]);
      expect(await namesOf((await connect(server, { era })).client)).toHaveLength(3);
    }
    const { client } = await connect((await serve()).server, { capabilities });
    expect(await namesOf(client)).toHaveLength(3);
  });
});

describe("activation", () => {
  test("lists a limited number of files, and reports how many more exist", async () => {
    const root = temporaryFolder(pdfFiles);
    for (let index = 0; index < 60; index++) writeFiles(root, { [`pdf/assets/${index}.txt`]: "" });
    const { client } = await connect(open(await createSkillset([root])));
    const { text } = await call(client, "activate_skill", { name: "pdf" });
    expect(text.match(/<file>/g)).toHaveLength(50);
    expect(text).toContain("<note>12 more files are not listed.</note>");
  });

  test("shows the directory if the transport allows it, and never over fetch", async () => {
    const { server, root } = await serve();
    const local = await connect(server, { showDirectory: true });
    const { text, structuredContent } = await call(local.client, "activate_skill", { name: "pdf" });
    expect(text).toContain(`Skill directory: ${root}/pdf`);
    expect(structuredContent).toMatchObject({ directory: `${root}/pdf` });
    for (const era of ERAS) {
      const remote = await call(await fetching(server, era), "activate_skill", { name: "pdf" });
      expect(remote.text).toContain("# PDF");
      expect(JSON.stringify(remote)).not.toContain(root);
    }
  });

  test("documents the tools that the instructions do not mention, and no tools of the server", async () => {
    const { client } = await connect((await serve()).server);
    const { text } = await call(client, "activate_skill", { name: "invoices" });
    expect(text.match(/^### .+$/gm)).toEqual(["### echo", "### nothing", "### fail"]);
    expect(text).not.toMatch(/activate_skill|read_skill_file|call_skill_tool/);
  });

  test("cuts instructions at the operator's limit", async () => {
    const { server } = await serve(undefined, { limits: { skillMdBytes: 4 } });
    const { client } = await connect(server);
    const { text } = await call(client, "activate_skill", { name: "pdf" });
    expect(text).toContain("SKILL.md is cut here");
  });
});

describe("calling a skill's tools", () => {
  test("returns text verbatim, other values as JSON, and null for nothing", async () => {
    const { client } = await connect((await serve()).server);
    expect((await callTool(client, "invoices", "echo", "as it is\n")).text).toBe("as it is\n");
    expect(await callTool(client, "invoices", "find", { id: "7" })).toEqual({
      isError: false,
      text: '{"id":"7","paid":true}',
      structuredContent: { skill: "invoices", tool: "find", result: { id: "7", paid: true } },
    });
    expect(await callTool(client, "invoices", "nothing", {})).toMatchObject({
      isError: false,
      text: "null",
      structuredContent: { result: null },
    });
  });

  test("validates the input against the tool's schema first", async () => {
    const { client } = await connect((await serve()).server);
    const { isError, text } = await callTool(client, "invoices", "find", { id: 7 });
    expect(isError).toBe(true);
    expect(text).toMatch(/^Invalid input for tool 'find' of skill 'invoices': id: /);
  });

  test.each([[null], [true], [0], ["text"], [[]], [[1, "a", null]], [{ deep: { er: [] } }]])(
    "accepts %j as input",
    async (input) => {
      const { client } = await connect((await serve()).server);
      const { structuredContent } = await callTool(client, "invoices", "echo", input);
      expect(structuredContent).toEqual({ skill: "invoices", tool: "echo", result: input });
    },
  );

  test("that throws returns its message without paths, and the next call works", async () => {
    const { client } = await connect((await serve()).server);
    expect(await callTool(client, "invoices", "fail", {})).toMatchObject({
      isError: true,
      text: "Tool 'fail' of skill 'invoices' failed: no such invoice in <path>",
    });
    expect((await callTool(client, "invoices", "echo", 1)).text).toBe("1");
  });

  test("distinguishes an unknown skill, an unknown tool and a skill without tools", async () => {
    const { client } = await connect((await serve()).server);
    const calls = [
      ["nowhere", "echo"],
      ["invoices", "nowhere"],
      ["pdf", "echo"],
    ] as const;
    const results = await Promise.all(calls.map(([name, tool]) => callTool(client, name, tool, {})));
    expect(results.map(({ isError }) => isError)).toEqual([true, true, true]);
    expect(results.map(({ text }) => text)).toEqual([
      "Unknown skill 'nowhere'. Available: pdf, invoices, orders, quiet.",
      "Skill 'invoices' has no tool 'nowhere'. Its tools: find, echo, nothing, fail.",
      "Skill 'pdf' has no tools, so 'echo' cannot be called.",
    ]);
  });

  test("with the same name in two skills reaches the named one", async () => {
    const { client } = await connect((await serve()).server);
    expect((await callTool(client, "invoices", "echo", 1)).text).toBe("1");
    expect((await callTool(client, "orders", "echo", 1)).text).toBe('{"order":1}');
  });

  test("needs no server tool for each of them, and the instructions do not list them", async () => {
    const { client } = await connect((await serve()).server);
    const names = await namesOf(client);
    for (const { name } of invoices.tools) {
      expect(names).not.toContain(name);
      expect(client.getInstructions()).not.toMatch(new RegExp(`\\b${name}\\b`));
    }
  });

  test("does not affect a tool of the same name on another server", async () => {
    const other = new McpServer({ name: "other", version: "1.0.0" });
    other.registerTool("echo", { description: "Another" }, () => ({ content: [{ type: "text", text: "other" }] }));
    const [near, far] = InMemoryTransport.createLinkedPair();
    await other.connect(far);
    const another = createClient("legacy");
    await another.connect(near);
    const { client } = await connect((await serve()).server);
    const both = [...(await another.listTools()).tools, ...(await client.listTools()).tools].map(({ name }) => name);
    expect(new Set(both).size).toBe(both.length);
    expect((await another.callTool({ name: "echo", arguments: {} })).content).toEqual([
      { type: "text", text: "other" },
    ]);
    expect((await callTool(client, "orders", "echo", 1)).text).toBe('{"order":1}');
  });

  test("that does not end times out at the operator's limit", async () => {
    const slow = defineSkill({
      name: "slow",
      description: "Slow.",
      body: "# Slow",
      tools: [{ name: "wait", description: "Waits", handler: () => new Promise(() => {}) }],
    });
    const { client } = await connect((await serve([slow], { limits: { toolTimeout: 10 } })).server);
    const { isError, text } = await callTool(client, "slow", "wait", {});
    expect({ isError, text }).toEqual({ isError: true, text: "Tool 'wait' of skill 'slow' took longer than 10 ms." });
  });
});

describe("reading files", () => {
  test("of a skill in code reports that it is not a stored skill", async () => {
    const { client } = await connect((await serve()).server);
    const { isError, text } = await call(client, "read_skill_file", { skill: "invoices", path: "SKILL.md" });
    expect(isError).toBe(true);
    expect(text).toContain("is not a stored skill");
  });

  test.each(["legacy", "modern"] as const)(
    "to a client of the %s era returns images as images, data as text with its URI, and other binaries as blobs",
    async (era) => {
      const PNG = Buffer.from("\x89PNG\r\n\x1a\n\0", "latin1");
      const files = {
        "tea/SKILL.md": "---\nname: tea\ndescription: Makes tea.\n---\nx",
        "tea/a b/leaf.png": PNG,
        "tea/teas.csv": "tea,minutes\n",
        "tea/any.bin": new Uint8Array([0, 255]),
      };
      const { client } = await connect(open(await createSkillset([temporaryFolder(files)])), { era });
      const read = async (path: string) => {
        const result = await client.callTool({ name: "read_skill_file", arguments: { skill: "tea", path } });
        return { ...result, content: result.content as unknown[] };
      };
      const image = await read("a b/leaf.png");
      expect(image.content).toEqual([
        { type: "text", text: "'a b/leaf.png' follows as a file (image/png, 9 bytes)." },
        { type: "image", mimeType: "image/png", data: PNG.toString("base64") },
      ]);
      expect(image.structuredContent).toEqual({
        skill: "tea",
        path: "a b/leaf.png",
        mediaType: "image/png",
        bytes: 9,
        digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        truncated: false,
      });
      expect((await read("teas.csv")).content[1]).toEqual({
        type: "resource",
        resource: { uri: "skill://tea/teas.csv", mimeType: "text/csv", text: "tea,minutes\n" },
      });
      expect((await read("any.bin")).content[1]).toEqual({
        type: "resource",
        resource: { uri: "skill://tea/any.bin", mimeType: "application/octet-stream", blob: "AP8=" },
      });
    },
  );

  test("rejects a binary file with a readable error if results have no files", async () => {
    const { client } = await connect((await serve([], { files: false })).server);
    const { isError, text } = await call(client, "read_skill_file", { skill: "pdf", path: "logo.png" });
    expect(isError).toBe(true);
    expect(text).toMatch(/'logo\.png' is .*(?:binary|not.*text)/);
  });

  test.each(["../secret.txt", "/etc/passwd", "references/../../secret.txt"])("refuses %s", async (path) => {
    const { client } = await connect((await serve()).server);
    const { isError, text } = await call(client, "read_skill_file", { skill: "pdf", path });
    expect(isError).toBe(true);
    expect(text).toMatch(/Path must be relative|Path traversal is not allowed/);
  });
});

describe("the instructions", () => {
  test("explain how to use the catalog, then list it", async () => {
    const { client } = await connect((await serve()).server);
    const instructions = client.getInstructions() ?? "";
    const [rules = "", list = ""] = instructions.split("\n\n");
    expect(rules).toContain("Call `activate_skill`");
    expect(list.split("\n")).toEqual([
      "- **pdf**: Reads PDFs.",
      "- **invoices**: Explains invoices.",
      "- **orders**: Explains orders.",
      "- **quiet**: For models.",
    ]);
    expect(instructions).not.toContain("# Invoices");
  });

  test("for 500 skills stay within 4,096 characters, and report what is omitted and how to find it", async () => {
    const skillset = await createSkillset(manySkills(500));
    const { client } = await connect(open(skillset, { operations: { aliases: { search_skills: { name: "find" } } } }));
    const instructions = client.getInstructions() ?? "";
    expect(instructions.length).toBeLessThanOrEqual(4_096);
    const shown = new Set(instructions.match(/skill-\d+/g)).size;
    expect(shown).toBeGreaterThan(100);
    expect(shown).toBeLessThan(500);
    expect(instructions).toContain(`${500 - shown} more skills are not listed: call \`find\` to find them; `);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("find");
  });

  test("list every name of 200 skills within 4,096 characters, after the rules, and then offer no search", async () => {
    const { client } = await connect(open(await createSkillset(manySkills(200))));
    const instructions = client.getInstructions() ?? "";
    expect(instructions.length).toBeLessThanOrEqual(4_096);
    expect(new Set(instructions.match(/skill-\d+/g)).size).toBe(200);
    expect(instructions.indexOf("activate_skill")).toBeLessThan(instructions.indexOf("skill-0"));
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain("search_skills");
  });

  test("list the names of up to 200 skills even if a client cuts them off, and then offer the search", async () => {
    const long = Array.from({ length: 200 }, (_, index) =>
      defineSkill({ name: `${"long-".repeat(10)}${index}`, description: "Does.", body: "Do." }),
    );
    const { client } = await connect(open(await createSkillset(long)));
    const instructions = client.getInstructions() ?? "";
    expect(instructions.length).toBeGreaterThan(4_096);
    expect(new Set(instructions.match(/(long-){10}\d+/g)).size).toBe(200);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("search_skills");
  });

  test("omit no name silently: without a connection, each request offers the search too", async () => {
    const server = open(await createSkillset(manySkills(500)));
    for (let request = 0; request < 2; request++) {
      const client = await fetching(server, "modern");
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain("search_skills");
    }
  });

  test("describe pinned skills first, and a pin without a skill is an error", async () => {
    const skillset = await createSkillset(manySkills(500));
    const { client } = await connect(open(skillset, { catalog: { pins: ["skill-499"] } }));
    expect(client.getInstructions()).toContain("- **skill-499**: ");
    expect(() => open(skillset, { catalog: { pins: ["skil-499"] } })).toThrow("Did you mean 'skill-499'?");
  });

  test("have the operator's format", async () => {
    const { client } = await connect((await serve(undefined, { catalog: { format: "xml" } })).server);
    expect(client.getInstructions()).toContain("<available_skills>\n  <skill>\n    <name>pdf</name>");
  });

  test("come with the operator's name and version", async () => {
    const { client } = await connect((await serve(undefined, { name: "team", version: "9.9.9" })).server);
    expect(client.getServerVersion()).toMatchObject({ name: "team", version: "9.9.9" });
  });
});

describe.each(ERAS)("the prompts for a client of the %s era", (era) => {
  test("are the skills that people may invoke, including those that models may not", async () => {
    const { client } = await connect((await serve()).server, { era });
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(["invoices", "orders", "pdf", "secret"]);
    expect(prompts[0]).toEqual({
      name: "invoices",
      description: "Explains invoices.",
      arguments: [{ name: "arguments", description: "What to do with the skill", required: false }],
    });
  });

  test("describe the argument by the skill's hint, and fill its placeholders", async () => {
    const metadata = { arguments: "kind", "argument-hint": "[kind] [cups]" };
    const tea = defineSkill({ name: "tea", description: "Makes tea.", body: "Make $1 cups of $kind.", metadata });
    const { client } = await connect(open(await createSkillset([tea])), { era });
    const { prompts } = await client.listPrompts();
    expect(prompts[0]?.arguments).toMatchObject([{ name: "arguments", description: "[kind] [cups]" }]);
    const { messages } = await client.getPrompt({ name: "tea", arguments: { arguments: "'green tea' 2" } });
    expect(messages).toHaveLength(1);
    expect(JSON.stringify(messages)).toContain("Make 2 cups of green tea.");
  });

  test("are listed in complete pages", async () => {
    const { client } = await connect(open(await createSkillset(manySkills(25)), { pageSize: 10 }), { era });
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const page: Awaited<ReturnType<Client["listPrompts"]>> = await client.request({
        method: "prompts/list",
        params: cursor === undefined ? {} : { cursor },
      });
      pages.push(page.prompts.map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(pages.map(({ length }) => length)).toEqual([10, 10, 5]);
    expect(pages.flat()).toEqual(
      manySkills(25)
        .map(({ name }) => name)
        .sort(),
    );
  });

  test.each(["garbage", "after:%", "", "before:pdf"])("reject the cursor '%s'", async (cursor) => {
    const { client } = await connect((await serve()).server, { era });
    await expect(client.listPrompts({ cursor })).rejects.toMatchObject({ code: -32602 });
  });

  test("fill a person's arguments into the instructions", async () => {
    const { client } = await connect((await serve()).server, { era });
    const { messages } = await client.getPrompt({ name: "invoices", arguments: { arguments: " number 7 " } });
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({ role: "user", content: { type: "text" } });
    expect(JSON.stringify(messages[0])).toContain("Use `find` for number 7.");
  });

  test("append a person's arguments to instructions without a placeholder", async () => {
    const { client } = await connect((await serve()).server, { era });
    const { messages, description } = await client.getPrompt({ name: "pdf", arguments: { arguments: "read x.pdf" } });
    expect(description).toBe("Reads PDFs.");
    expect(messages).toEqual([
      { role: "user", content: { type: "text", text: expect.stringContaining("# PDF") } },
      { role: "user", content: { type: "text", text: "read x.pdf" } },
    ]);
    expect((await client.getPrompt({ name: "pdf" })).messages).toHaveLength(1);
  });

  test.each(["nowhere", "quiet", "__proto__", ""])("do not include '%s'", async (name) => {
    const { client } = await connect((await serve()).server, { era });
    await expect(client.getPrompt({ name })).rejects.toMatchObject({
      code: -32602,
      message: `There is no prompt '${name}'.`,
    });
  });

  test("activate nothing, because some clients get every prompt to list them", async () => {
    const { client, connection } = await connect((await serve()).server, { era });
    const { messages } = await client.getPrompt({ name: "secret" });
    expect(JSON.stringify(messages)).toContain("Hidden steps.");
    expect(connection.session.active).toEqual([]);
    expect((await call(client, "activate_skill", { name: "secret" })).isError).toBe(true);
    expect(JSON.stringify(await client.listTools())).not.toContain('"secret"');
  });

  test("allow calls to the tools of a skill that models may not activate, on that connection only", async () => {
    const { server } = await serve();
    const { client } = await connect(server, { era });
    expect((await callTool(client, "secret", "peek", {})).isError).toBe(true);
    await client.getPrompt({ name: "secret" });
    expect((await callTool(client, "secret", "peek", {})).text).toBe("peeked");
    expect((await callTool((await connect(server, { era })).client, "secret", "peek", {})).isError).toBe(true);
  });
});

test("prompts can be disabled", async () => {
  const { client } = await connect((await serve(undefined, { prompts: false })).server);
  expect(client.getServerCapabilities()).not.toHaveProperty("prompts");
});

test("the extension can be disabled", async () => {
  const { client } = await connect((await serve(undefined, { extension: false })).server);
  expect(client.getServerCapabilities()).not.toHaveProperty("extensions");
  expect(client.getServerCapabilities()).not.toHaveProperty("resources");
});

describe.each(ERAS)("after an update, a client of the %s era", (era) => {
  test("is notified that tools, prompts and resources have changed, and gets the new ones", async () => {
    const { server, skillset } = await serve();
    const seen: Record<string, unknown[]> = { tools: [], prompts: [], resources: [] };
    const note = (kind: string) => ({
      onChanged: (error: unknown, items: readonly { name: string }[] | null) =>
        void seen[kind]?.push(error ?? items?.map(({ name }) => name)),
    });
    const listChanged = { tools: note("tools"), prompts: note("prompts"), resources: note("resources") };
    const { client, connection } = await connect(server, { era, listChanged });
    const next = await createSkillset([defineSkill({ name: "fresh", description: "New.", body: "# Fresh" })]);
    await server.update(next);
    await vi.waitFor(
      () =>
        expect(seen).toEqual({
          tools: [["activate_skill", "read_skill_file", "call_skill_tool"]],
          prompts: [["fresh"]],
          resources: [["fresh"]],
        }),
      { timeout: 10_000 },
    );
    expect(server.skillset).toBe(next);
    expect(connection.session.skillset).toBe(next);
    expect((await call(client, "activate_skill", { name: "fresh" })).text).toContain("# Fresh");
    expect((await call(client, "activate_skill", { name: "pdf" })).isError).toBe(true);
    await server.update(next);
    await server.update(skillset);
    await vi.waitFor(() => expect(seen.prompts).toHaveLength(2), { timeout: 10_000 });
  });

  test("loses active skills that are gone, and the ledger records it", async () => {
    const { server, skillset } = await serve();
    const { client, connection } = await connect(server, { era });
    await call(client, "activate_skill", { name: "invoices" });
    await call(client, "activate_skill", { name: "pdf" });
    await server.update(skillset.filter({ disabled: ["pdf"] }));
    expect(connection.session.active).toEqual(["invoices"]);
    expect(connection.session.ledger.entries.at(-1)).toMatchObject({ type: "skill-missing", skill: "pdf" });
  });
});

test("an update reaches clients that listen over fetch, and new clients get the new instructions", async () => {
  const { server } = await serve();
  expect((await fetching(server, "modern")).getInstructions()).toContain("**pdf**");
  const onChanged = vi.fn();
  const transport = new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
    fetch: (url, init) => server.fetch(new Request(url, init)),
  });
  const client = createClient("modern", { listChanged: { tools: { onChanged } } });
  await client.connect(transport);
  await server.update(await createSkillset([defineSkill({ name: "fresh", description: "New.", body: "# Fresh" })]));
  await vi.waitFor(() => expect(onChanged).toHaveBeenCalled(), { timeout: 10_000 });
  const instructions = (await fetching(server, "modern")).getInstructions();
  expect(instructions).toContain("**fresh**");
  expect(instructions).not.toContain("**pdf**");
});

describe("connections", () => {
  test("have separate sessions", async () => {
    const { server } = await serve();
    const [one, two] = [await connect(server, { era: "legacy" }), await connect(server)];
    await call(one.client, "activate_skill", { name: "pdf" });
    await call(two.client, "activate_skill", { name: "orders" });
    expect(one.connection.session).not.toBe(two.connection.session);
    expect(one.connection.session.active).toEqual(["pdf"]);
    expect(two.connection.session.active).toEqual(["orders"]);
    const skillsOf = ({ connection }: typeof one) =>
      connection.session.ledger.entries.flatMap((entry) => (entry.type === "skill-activated" ? [entry.skill] : []));
    expect([skillsOf(one), skillsOf(two)]).toEqual([["pdf"], ["orders"]]);
  });

  test("end for both sides, whichever side closes them", async () => {
    const { server } = await serve();
    const one = await connect(server);
    await one.client.close();
    await one.connection.closed;
    const two = await connect(server, { era: "legacy" });
    const onclose = vi.fn();
    two.client.onclose = onclose;
    await two.connection.close();
    await two.connection.closed;
    expect(onclose).toHaveBeenCalled();
    const three = await connect(server);
    await server.close();
    await three.connection.closed;
  });

  test("that have ended are no longer updated", async () => {
    const { server, skillset } = await serve();
    const { client, connection } = await connect(server);
    await client.close();
    await connection.closed;
    await server.update(skillset.filter({ disabled: ["pdf"] }));
    expect(connection.session.skillset).toBe(skillset);
  });
});

describe.each(ERAS)("over fetch, for a client of the %s era", (era) => {
  test("every request is independent", async () => {
    const { server } = await serve();
    const client = await fetching(server, era);
    expect(await namesOf(client)).toHaveLength(3);
    expect((await call(client, "activate_skill", { name: "pdf" })).text).toContain("# PDF");
    const again = await call(client, "activate_skill", { name: "pdf" });
    expect(again.text).toContain("# PDF");
    expect(again.structuredContent).toMatchObject({ alreadyActive: false, changed: false });
    expect((await callTool(client, "invoices", "echo", "x")).text).toBe("x");
  });

  test("another instance can answer the next request", async () => {
    const { server, skillset } = await serve();
    const servers = [server, open(skillset)];
    let count = 0;
    const transport = new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
      fetch: (url, init) => (servers[count++ % 2] as SkillsServer).fetch(new Request(url, init)),
    });
    const client = createClient(era);
    await client.connect(transport);
    for (let index = 0; index < 4; index++) {
      expect((await callTool(client, "invoices", "echo", index)).text).toBe(String(index));
    }
    expect(count).toBeGreaterThan(4);
  });
});

function manySkills(count: number): Skill[] {
  return Array.from({ length: count }, (_, index) =>
    defineSkill({
      name: `skill-${index}`,
      description: `Does the ${index}th of many things. `.repeat(5).trim(),
      body: "# It",
    }),
  );
}
