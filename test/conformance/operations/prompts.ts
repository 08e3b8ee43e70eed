import { join } from "node:path";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import type { McpServer } from "@modelcontextprotocol/server";
import { ClaudeAgentSDKAdapter } from "../../../packages/skillset/src/claude/index.ts";
import { NAMES } from "../../../packages/skillset/src/core/base/limits.ts";
import { createSkillset } from "../../../packages/skillset/src/index.ts";
import {
  AgentSkillsSection,
  MarkdownSection,
  Prompt,
  PromptTemplate,
  type Section,
  SkillRef,
  SkillsSection,
} from "../../../packages/skillset/src/prompt/index.ts";
import { type ContractEvaluator, startScriptedModel } from "../../../packages/testing/src/index.ts";
import { acp } from "../evaluators/acp.ts";
import { aiSdk } from "../evaluators/ai-sdk.ts";
import { anthropic } from "../evaluators/anthropic.ts";
import { openaiChat } from "../evaluators/openai.ts";
import { callTool } from "./mcp.ts";
import { type PlayedResult, type Surface, scriptOf, seenIn, type World } from "./surface.ts";

/** Evaluations of a prompt with a section that lists the skills of the folder. */
export const PROMPTS = {
  "prompt, AI SDK": promptSurface(aiSdk, /unavailable tool '\w+'/),
  "prompt, OpenAI Chat": promptSurface(openaiChat, /^There is no function '\w+'\.$/),
  "prompt, Anthropic Messages": promptSurface(anthropic, /^There is no function '\w+'\.$/),
  "prompt, ACP": promptSurface(acp, /^The user refused this call\.$/),
  "prompt, Claude Agent SDK": claudeSurface(),
};

function promptSurface(evaluator: ContractEvaluator, refusal: RegExp): Surface {
  return {
    refusal,
    play: async (world) => {
      const { folder, scripts } = world;
      const model = await startScriptedModel(scriptOf(world), { isSide: () => false });
      const started = await evaluator.start({ modelUrl: model.url, folder });
      const skillsDir = join(folder, "skills");
      const catalog = { budget: { tokens: 100 } };
      const prompt = promptOf(new AgentSkillsSection({ skillsDir, mountPath: "skills", catalog }));
      try {
        await started.evaluate(prompt, { session: await sessionIn(world), ...(scripts && { scripts }) });
        return { ...seenIn(model.requests), events: world.events };
      } finally {
        await started.close();
        await model.close();
      }
    },
  };
}

/** Claude Code without its program: the calls of its model go straight to the MCP server that it gets. */
function claudeSurface(): Surface {
  return {
    refusal: /There is no tool '\w+'\.$/,
    play: async (world) => {
      const { folder, scripts, events, calls } = world;
      const results: PlayedResult[] = [];
      let tools: readonly string[] = [];
      const query = async function* ({
        options,
      }: {
        options: { mcpServers: Record<string, { instance: McpServer }> };
      }) {
        const client = new Client({ name: "claude", version: "1.0.0" });
        const [near, far] = InMemoryTransport.createLinkedPair();
        await options.mcpServers[NAMES.promptServer]?.instance.connect(far);
        await client.connect(near);
        await callTool(client, NAMES.openSections, { section_keys: ["skills.tea"], reason: "Tea." });
        // Opening the section activates the skill too.
        events.length = 0;
        tools = (await client.listTools()).tools.map(({ name }) => name);
        for (const { id, input } of calls) results.push(await callTool(client, id, input));
        // A turn in which new tools appeared ends, and the next one has the answer.
        for (let turn = 0; turn < 2; turn++) yield { type: "result", subtype: "success", result: "Done." };
      };
      const prompt = promptOf(new SkillsSection({ skills: [new SkillRef({ path: join(folder, "skills/tea") })] }));
      const adapter = new ClaudeAgentSDKAdapter({ sdk: { query } as never, onWarning: () => {} });
      await adapter.evaluate(prompt, { session: await sessionIn(world), ...(scripts && { scripts }) });
      return { tools, results, events };
    },
  };
}

function promptOf(skills: Section) {
  const task = new MarkdownSection({ title: "Task", key: "task", template: "Make tea." });
  return new Prompt(new PromptTemplate({ ns: "operations", key: "tea", sections: [task, skills] }));
}

async function sessionIn({ telemetry }: World) {
  return (await createSkillset([])).session({ telemetry });
}
