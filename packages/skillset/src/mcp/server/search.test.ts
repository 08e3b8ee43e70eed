import {
  Client,
  type ClientOptions,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { SKILLS_EXTENSION_ID } from "@modelcontextprotocol/client/ext/skills";
import { expect, onTestFinished, test } from "vitest";
import { defineSkill } from "../../core/skill/define-skill.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { createSkillsServer, type SkillsServer, type SkillsServerOptions } from "./skills-server.ts";

const SHELVES = Array.from({ length: 300 }, (_, index) =>
  defineSkill({ name: `shelf-${index}`, description: `Knows the books on shelf ${index}.`, body: "Look." }),
);
const TEA = defineSkill({ name: "tea", description: "Brews green tea.", body: "Steep the leaves." });
const FOUND = "- **tea**: Brews green tea. (matches: green, tea)";

async function serve(count: number, options: SkillsServerOptions = {}) {
  const server = createSkillsServer(await createSkillset([...SHELVES.slice(0, count), TEA]), options);
  onTestFinished(() => server.close());
  return server;
}

async function connect(server: SkillsServer, transport: "memory" | "http" = "memory", options: ClientOptions = {}) {
  const client = new Client({ name: "test", version: "1.0.0" }, options);
  onTestFinished(() => client.close());
  if (transport === "http") {
    const fetch = (url: string | URL, init?: RequestInit) => server.fetch(new Request(url, init));
    await client.connect(new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), { fetch }));
  } else {
    const [near, far] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(far), client.connect(near)]);
  }
  return client;
}

const toolsOf = async (client: Client) => (await client.listTools()).tools;
const namesOf = async (client: Client) => (await toolsOf(client)).map(({ name }) => name);

test.each(["memory", "http"] as const)(
  "over %s, every request has the search if the instructions omit names",
  async (kind) => {
    const client = await connect(await serve(300), kind);
    expect(client.getInstructions()).toContain("call `search_skills` with the task in words");
    for (let time = 0; time < 2; time++) expect(await namesOf(client)).toContain("search_skills");
    const [tool] = (await toolsOf(client)).filter(({ name }) => name === "search_skills");
    expect(tool).toMatchObject({
      title: "Search skills",
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
      inputSchema: { required: ["query"] },
    });
    const { content, structuredContent, isError } = await client.callTool({
      name: "search_skills",
      arguments: { query: "green tea", limit: 1 },
    });
    expect({ content, isError }).toEqual({ content: [{ type: "text", text: FOUND }], isError: undefined });
    expect(structuredContent).toEqual({
      skills: [{ name: "tea", description: "Brews green tea.", matched: ["green", "tea"], isActive: false }],
    });
  },
);

test.each(["memory", "http"] as const)(
  "over %s, there is no search if the instructions list every name",
  async (kind) => {
    const client = await connect(await serve(2), kind);
    expect(await namesOf(client)).toEqual(["activate_skill", "read_skill_file", "call_skill_tool"]);
    expect(client.getInstructions()).not.toContain("search_skills");
  },
);

test("a fixed list has the search for any skills, because clients list the tools only once", async () => {
  const client = await connect(await serve(0, { operations: { fixedList: true } }));
  expect(await namesOf(client)).toEqual(["activate_skill", "read_skill_file", "call_skill_tool", "search_skills"]);
  const { content } = await client.callTool({ name: "search_skills", arguments: { query: "green tea" } });
  expect(content).toEqual([{ type: "text", text: FOUND }]);
});

test("clients that use the extension still get the search when the other tools are withheld", async () => {
  const server = await serve(300, { withholdTools: true });
  const client = await connect(server, "memory", { capabilities: { extensions: { [SKILLS_EXTENSION_ID]: {} } } });
  expect(await namesOf(client)).toEqual(["call_skill_tool", "search_skills"]);
});
