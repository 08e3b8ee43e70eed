import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ScriptStep } from "../../packages/testing/src/model/script.ts";
import { startScriptedModel } from "../../packages/testing/src/model/scripted-model.ts";
import { textOf, turnsOf } from "../acp/agent-under-test.ts";
import { GUIDE_BODY, GUIDE_FILE, storeGuide } from "../acp/guide-skills.ts";
import { Offspring, TELLS_PROCESSES } from "../acp/left-behind.ts";
import { saidTo, startEditor, typedIn } from "../acp/scripted-editor.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { SeenAgents, withTable } from "./agents-table.ts";
import { ACP_AGENTS, type AcpAgent } from "./fixtures/acp/all.ts";
import { inAgents, needsAgents } from "./installed.ts";

needsAgents();

const USED = "uses a skill and its file";
const COMMAND = "`/name` invokes a skill";
const LOADED = "a loaded conversation is shown as it was typed";
const APART = "two conversations in one folder";
const seen = new SeenAgents([USED, COMMAND, LOADED, APART]);

/** Prepares an agent, its model and a skill in the user's home, or elsewhere if the agent must not find it itself. */
async function prepareWith(
  { name, prepare }: AcpAgent,
  script: (skill: string) => readonly ScriptStep[],
  { isHidden = false } = {},
) {
  const folder = temporaryFolder();
  const skill = storeGuide(isHidden ? folder : join(folder, "home/.agents"));
  const model = await startScriptedModel(script(skill));
  const { env, cwd } = prepare(folder, model.url);
  const words = isHidden ? ["--skill", join(folder, "skills"), name] : [name];
  const start = () => startEditor(words, { env, cwd });
  return { folder, model, cwd, start, [Symbol.asyncDispose]: () => model.close() };
}

/** Uses the skill: with our tools or, in an agent without MCP, with its own. */
function usesOf(agent: AcpAgent, skill: string): readonly ScriptStep[] {
  if (agent.name === "pi")
    return ["SKILL.md", "references/waders.md"].map((file) => ({ call: "read", input: { path: join(skill, file) } }));
  return [
    { call: "skillset_activate_skill", input: { name: "bird-guide" } },
    { call: "skillset_read_skill_file", input: { skill: "bird-guide", path: "references/waders.md" } },
  ];
}

describe.for(ACP_AGENTS)("$name behind an editor", (agent) => {
  test("uses a skill of the user's home, and nothing is left behind", async () => {
    await seen.note(agent, USED, async () => {
      await using prepared = await prepareWith(agent, (skill) => [
        ...usesOf(agent, skill),
        { say: "That was an oystercatcher." },
        { say: "And that a curlew." },
      ]);
      const { model, cwd, folder } = prepared;
      const offspring = new Offspring();
      const editor = await prepared.start();
      const session = await editor.open(cwd);
      const answer = await session.prompt("Which bird has a red beak?");
      await session.prompt("And a long one?");
      offspring.note();
      const { code, errors } = await editor.close();

      expect(answer).toMatchObject({ stopReason: "end_turn" });
      expect(saidTo(editor.updates)).toContain("That was an oystercatcher.");
      expect(model.faults).toEqual([]);
      const sent = turnsOf(model).map(textOf);
      expect(sent[0]).toContain("Names birds. Use when somebody has seen one.");
      expect(sent[0]).toContain("skillset_context");
      expect(sent[0]).not.toContain(GUIDE_BODY);
      expect(sent[1]).toContain(GUIDE_BODY);
      expect(sent[2]).toContain(GUIDE_FILE);
      // The catalog is in the first prompt only.
      expect(sent[3]?.match(/<available_skills>/g)?.length).toBe(sent[0]?.match(/<available_skills>/g)?.length);
      expect(editor.asked).toEqual([]);
      expect(session.commands().filter((command) => command.name === "bird-guide")).toHaveLength(1);
      expect(JSON.stringify(editor.updates)).not.toContain("skillset_context");

      expect(code).toBe(0);
      expect(errors).toContain(`skillset: 1 skill in ${cwd}.`);
      if (TELLS_PROCESSES) expect(offspring.living).toEqual([]);
      const files = readdirSync(join(folder, "tmp"), { recursive: true, encoding: "utf8" });
      expect(files.filter((file) => file.includes("skillset"))).toEqual([]);
      expect(readdirSync(cwd)).toEqual([]);
      return agent.name === "pi" ? "yes: it reads them by itself" : "yes";
    });
  });

  test("gets the instructions of a skill that a person invokes, and shows what was typed when it is loaded", async () => {
    await using prepared = await prepareWith(agent, () => [{ say: "An oystercatcher." }, { say: "A curlew." }], {
      isHidden: true,
    });
    const { model, cwd } = prepared;
    const editor = await prepared.start();
    const session = await editor.open(cwd);
    await seen.note(agent, COMMAND, async () => {
      await session.prompt("/bird-guide with a red beak");
      const [first] = turnsOf(model).map(textOf);
      expect(first).toContain(GUIDE_BODY);
      expect(first).toContain("with a red beak");
      expect(saidTo(editor.updates)).toContain("An oystercatcher.");
    });
    await editor.close();

    await seen.note(agent, LOADED, async () => {
      const again = await prepared.start();
      const { loadSession, sessionCapabilities } = again.initialized.agentCapabilities ?? {};
      try {
        if (loadSession !== true) return "it loads none";
        const loading = again.agent.request("session/load", { sessionId: session.sessionId, cwd, mcpServers: [] });
        if (agent.name === "gemini") {
          // The same without the proxy, with any prompt.
          await expect(loading).rejects.toMatchObject({ data: { details: expect.stringContaining("No previous") } });
          return "no: it does not find its own conversations";
        }
        await loading;
        expect(JSON.stringify(again.updates)).not.toContain("skillset_context");
        expect(typedIn(again.updates)).toBe("/bird-guide with a red beak");
        if (sessionCapabilities?.list != null)
          expect(JSON.stringify(await again.agent.request("session/list", { cwd }))).not.toContain("skillset_context");
        const prompt = [{ type: "text" as const, text: "And with a long one?" }];
        await again.agent.request("session/prompt", { sessionId: session.sessionId, prompt });
        expect(textOf(turnsOf(model).at(-1) as never)).toContain("Names birds.");
        return "yes";
      } finally {
        await again.close();
      }
    });
  });

  test("has two conversations in one folder", async () => {
    await seen.note(agent, APART, async () => {
      await using prepared = await prepareWith(agent, (skill) => [...usesOf(agent, skill), { say: "One." }], {
        isHidden: true,
      });
      const { model, cwd } = prepared;
      const editor = await prepared.start();
      const [first, second] = [await editor.open(cwd), await editor.open(cwd)];
      try {
        await Promise.all([first.prompt("One?"), second.prompt("Two?")]);
        const texts = turnsOf(model).map(textOf);
        expect(model.faults).toEqual([]);
        expect(texts.filter((text) => text.includes("<available_skills>")).length).toBeGreaterThanOrEqual(2);
        for (const { sessionId } of [first, second])
          expect(saidTo(editor.updates.filter((one) => one.sessionId === sessionId))).toContain("One.");
      } finally {
        await editor.close();
      }
    });
  });
});

test("docs/agents.md contains the table of editors: if not, run `npm run test:agents -- --update`", async ({
  skip,
}) => {
  const table = seen.tableOf(ACP_AGENTS);
  skip(table === undefined, "not everything was run");
  const path = inAgents("../../docs/agents.md");
  const page = withTable(readFileSync(path, "utf8"), table ?? "", ["editor", "test/agents/acp-proxy.test.ts"]);
  await expect(page).toMatchFileSnapshot(path);
});
