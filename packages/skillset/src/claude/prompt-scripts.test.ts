import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import type { McpServer } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { isAlive } from "../../../../test/processes.ts";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { NAMES } from "../core/base/limits.ts";
import type { ScriptOptions } from "../core/script/script-options.ts";
import { createSkillset } from "../node/load/create-skillset.ts";
import { MarkdownSection, Prompt, PromptTemplate, SkillRef, SkillsSection } from "../prompt/index.ts";
import type { ClaudeAgentSDK } from "./claude-agent-sdk.ts";
import { ClaudeAgentSDKAdapter, type EvaluateOptions, IsolationConfig } from "./index.ts";

const FILES = {
  "tea/SKILL.md": skillMd("tea", "Makes tea."),
  "tea/scripts/brew.sh": 'echo "brewing $1"\n',
  "tea/scripts/wait.sh": 'echo "$$"; sleep 60\n',
};
const SCRIPTS: ScriptOptions = { runner: "subprocess", consent: () => "always" };

/** Replaces the SDK with an agent that uses the prompt's MCP server. */
function playing(act: (client: Client) => Promise<string>): ClaudeAgentSDK {
  const query = async function* ({ options }: { options: { mcpServers?: Record<string, { instance: McpServer }> } }) {
    const client = new Client({ name: "claude", version: "1.0.0" });
    const [near, far] = InMemoryTransport.createLinkedPair();
    const server = options.mcpServers?.[NAMES.promptServer]?.instance;
    if (server !== undefined) {
      await server.connect(far);
      await client.connect(near);
    }
    const result = server === undefined ? "No server." : await act(client);
    // A turn in which new tools appeared ends, and the next one has the answer.
    for (let turn = 0; turn < 2; turn++) yield { type: "result", subtype: "success", result };
  };
  return { query } as never;
}

function evaluate(act: (client: Client) => Promise<string>, options: EvaluateOptions, isolation?: IsolationConfig) {
  const skills = new SkillsSection({ skills: [new SkillRef({ path: "tea", basePath: temporaryFolder(FILES) })] });
  const task = new MarkdownSection({ title: "Task", key: "task", template: "Make tea." });
  const prompt = new Prompt(new PromptTemplate({ ns: "test", key: "tea", sections: [task, skills] }));
  const given = { sdk: playing(act), onWarning: () => {}, ...(isolation && { isolation }) };
  return new ClaudeAgentSDKAdapter(given).evaluate(prompt, options);
}

const open = (client: Client) =>
  client.callTool({ name: NAMES.openSections, arguments: { section_keys: ["skills.tea"], reason: "Tea." } });
const toolsOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

test("the agent opens a skill and runs its scripts, and the session records it", async () => {
  const session = await (await createSkillset([])).session();
  const { text } = await evaluate(
    async (client) => {
      expect(await toolsOf(client)).toEqual([NAMES.openSections, NAMES.readSection]);
      await open(client);
      expect(await toolsOf(client)).toEqual(["run_skill_script", "read_skill_file"]);
      const input = { skill: "tea", script: "scripts/brew.sh", args: ["green"] };
      const { content } = await client.callTool({ name: "run_skill_script", arguments: input });
      return JSON.stringify(content);
    },
    { scripts: SCRIPTS, session },
  );
  expect(text).toContain("brewing green");
  expect(session.ledger.entries.map(({ type }) => type)).toEqual(
    expect.arrayContaining(["script-consent", "script-run"]),
  );
});

test("without the option, the agent gets no operation for scripts", async () => {
  const { text } = await evaluate(async (client) => {
    await open(client);
    return (await toolsOf(client)).join();
  }, {});
  expect(text).toBe("read_skill_file");
});

test("the scripts of installed skills are the agent's own business", async () => {
  const { text } = await evaluate(async () => "", { scripts: SCRIPTS }, new IsolationConfig());
  expect(text).toBe("No server.");
});

test("aborting the evaluation ends the script", async () => {
  const controller = new AbortController();
  let pid = 0;
  const onOutput = ({ text }: { readonly text: string }): void => {
    pid = Number(text);
    controller.abort();
  };
  const evaluated = evaluate(
    async (client) => {
      await open(client);
      const input = { skill: "tea", script: "scripts/wait.sh" };
      const calling = client.callTool({ name: "run_skill_script", arguments: input });
      calling.catch(() => {});
      // The SDK ends when it is aborted, without a word to its servers.
      await new Promise<void>((resolve) => controller.signal.addEventListener("abort", () => resolve()));
      return "";
    },
    { scripts: { ...SCRIPTS, onOutput }, signal: controller.signal },
  );
  await expect(evaluated).rejects.toThrow();
  expect(pid).toBeGreaterThan(0);
  await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false);
});
