import { cpSync } from "node:fs";
import { join } from "node:path";
import { type ScriptedModel, startScriptedModel } from "@skillset/testing";
import { expect, test } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";
import { runOpenCode } from "./fixtures/real-agents/opencode.ts";
import { printedConfig, startServing } from "./fixtures/real-agents/skillset-command.ts";
import { inAgents, needsAgents } from "./installed.ts";

const SKILLS = inAgents("fixtures/skills");
const SCRIPT = [
  { call: "skillset_activate_skill", input: { name: "field-guide" } },
  { call: "skillset_read_skill_file", input: { skill: "field-guide", path: "references/birds.md" } },
  { say: "That was an oystercatcher." },
];

needsAgents();

test("opencode uses the skills of a server that it starts with the printed configuration", async () => {
  await using model = await startScriptedModel(SCRIPT);
  const { folder, config } = projectWithSkills();
  expect(JSON.stringify(config)).not.toContain(folder);
  const said = await runOpenCode(folder, ["Which bird?"], { model: model.url, config });
  expectSkillUsed(model);
  expect(said).toContain("That was an oystercatcher.");
});

test("opencode uses the skills of an HTTP server with the printed configuration and a token from its environment", async () => {
  await using model = await startScriptedModel(SCRIPT);
  const folder = temporaryFolder();
  await using server = await startServing(SKILLS, folder);
  const config = printedConfig(folder, "--http", server.port);
  const env = { SKILLSET_TOKEN: server.token };
  const said = await runOpenCode(folder, ["Which bird?"], { model: model.url, config, env });
  expectSkillUsed(model);
  expect(said).toContain("That was an oystercatcher.");
});

test("opencode has skills as commands, and a command's arguments follow the instructions", async () => {
  await using model = await startScriptedModel([{ say: "A heron." }]);
  const given = ["--command", "skillset:field-guide", "grey, still, one leg"];
  const { folder, config } = projectWithSkills();
  const said = await runOpenCode(folder, given, { model: model.url, config });
  const { messages } = turnsOf(model)[0] ?? {};
  expect(messages?.at(-1)?.text).toMatch(/Ask for size, beak and place.*\ngrey, still, one leg$/s);
  expect(model.faults).toEqual([]);
  expect(said).toContain("A heron.");
});

/** A folder for an agent, with skills in its project. */
function projectWithSkills() {
  const folder = temporaryFolder();
  const project = join(folder, "work");
  cpSync(SKILLS, join(project, "skills"), { recursive: true });
  return { folder, config: printedConfig(project, "./skills") };
}

function expectSkillUsed(model: ScriptedModel): void {
  expect(model.faults).toEqual([]);
  const [first, , last] = turnsOf(model);
  expect(first?.tools).toEqual(
    expect.arrayContaining(["skillset_activate_skill", "skillset_read_skill_file", "skillset_call_skill_tool"]),
  );
  // The catalog, which the server sends as its instructions.
  expect(first?.system).toContain("Names birds from what was seen of them.");
  expect(first?.system).toContain("Call `activate_skill` with the skill's name");
  expect(last?.toolResults.map(({ name, text }) => ({ name, text }))).toEqual([
    { name: "skillset_activate_skill", text: expect.stringContaining("Ask for size, beak and place") },
    { name: "skillset_read_skill_file", text: expect.stringContaining("loud, on the beach | oystercatcher") },
  ]);
}

/** The requests of the conversation, without those for a title. */
function turnsOf({ requests }: ScriptedModel) {
  return requests.filter(({ side }) => !side);
}
