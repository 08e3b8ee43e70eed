import { join } from "node:path";
import { agent as agentApp } from "@agentclientprotocol/sdk";
import { describe, expect, onTestFinished, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../../test/temporary-folder.ts";
import { agentsWith } from "../../../agents/find-agent.ts";
import { NAMES } from "../../../core/base/limits.ts";
import {
  AgentSkillsSection,
  MarkdownSection,
  Prompt,
  PromptTemplate,
  type Section,
  SkillRef,
  SkillsSection,
} from "../../../prompt/index.ts";
import { type Agent, connectAgent } from "../../index.ts";

const TASK = new MarkdownSection({ title: "Task", key: "task", template: "Make tea." });
const tea = () => temporaryFolder({ "skills/tea/SKILL.md": skillMd("tea", "Makes tea.", "Steep it.\n") });
const listed = () => new AgentSkillsSection({ skillsDir: join(tea(), "skills") });
const referenced = () => new SkillsSection({ skillRefs: [new SkillRef({ path: join(tea(), "skills/tea") })] });
const promptOf = (section: Section) =>
  new Prompt(new PromptTemplate({ ns: "test", key: "tea", sections: [TASK, section] }));

const AGENTS = agentsWith("acp").flatMap(({ acp: { reportedName = "", toolName } }) =>
  toolName === undefined ? [] : [{ agent: reportedName, toolName }],
);

/** The prompts that an agent with this name receives, which lists the tools as an agent that uses the bridge does. */
async function promptsFor(reported: string, work: (agent: Agent) => Promise<unknown>): Promise<readonly string[]> {
  const prompts: string[] = [];
  const app = agentApp()
    .onRequest("initialize", () => ({
      protocolVersion: 1,
      agentInfo: { name: reported, version: "1" },
      agentCapabilities: { mcpCapabilities: { http: true } },
    }))
    .onRequest("session/new", async ({ params }) => {
      const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
      for (const server of params.mcpServers) {
        if (!("url" in server)) continue;
        const client = new Client({ name: "test", version: "1" });
        const headers = Object.fromEntries(server.headers.map(({ name, value }) => [name, value]));
        await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } }));
        onTestFinished(() => client.close());
        await client.listTools();
      }
      return { sessionId: "one" };
    })
    .onRequest("session/prompt", ({ params }) => {
      prompts.push(params.prompt.map((part) => (part.type === "text" ? part.text : "")).join("\n"));
      return { stopReason: "end_turn" as const };
    });
  const agent = await connectAgent(app);
  onTestFinished(() => agent.close());
  await work(agent);
  return prompts;
}

describe.each(AGENTS)("a prompt of sections for $agent", ({ agent: reported, toolName }) => {
  const think = (tool: string) => toolName(NAMES.thinkServer, tool);
  const promptFor = async (section: Section) => {
    const prompts = await promptsFor(reported, (agent) => agent.think().prompt(promptOf(section)).run());
    expect(prompts).toHaveLength(1);
    return prompts[0] ?? "";
  };

  test("names the tools as the agent shows them, in their list and below the catalog", async () => {
    const prompt = await promptFor(listed());
    expect(prompt).toContain(`- ${think("activate_skill")}: `);
    expect(prompt).toContain(`Call \`${think("activate_skill")}\` with the skill's name`);
    expect(prompt).toContain(`Read a skill's files with \`${think("read_skill_file")}\``);
  });

  test("names the tools as the agent shows them, in their list and in summaries", async () => {
    const prompt = await promptFor(referenced());
    expect(prompt).toContain(`- ${think("open_sections")}: `);
    expect(prompt).toContain(`Call \`${think("open_sections")}\` with key "skills.tea"`);
    expect(prompt).toContain(`for them, call \`${think("open_sections")}\``);
  });

  test("in a conversation, names the operations of the conversation, and tools that are called through another", async () => {
    const [first = "", second = ""] = await promptsFor(reported, async (agent) => {
      const session = await agent.session();
      await session.think().prompt(promptOf(listed())).run();
      await session.think().prompt(promptOf(referenced())).run();
      await session.close();
    });
    const name = toolName(NAMES.library, "activate_skill");
    expect(first).toContain(`Call \`${name}\` with the skill's name`);
    // The conversation's own operation loads the prompt's skills, and `call_tool` does not know it.
    expect(first).not.toContain("- activate_skill: ");
    expect(second).toContain('Call `open_sections` with key "skills.tea"');
    expect(second).toContain(`each called with \`${think("call_tool")}\``);
    expect(second).toContain("- open_sections: ");
  });
});
