import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { defineSkill } from "../../packages/skillset/src/index.ts";
import { createTemporaryHome, type TemporaryHome } from "../../packages/skillset/src/node/index.ts";
import { type ReceivedRequest, startScriptedModel } from "../../packages/testing/src/index.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { NATIVE_AGENTS, type NativeAgent } from "./fixtures/native-agents.ts";
import { inAgents, needsAgents } from "./installed.ts";

needsAgents();

const CODEWORD = "quetzalcoatlus-4711";
const DESCRIPTION = "Knows the codeword of the vault. Use when asked for the codeword.";

test.for(NATIVE_AGENTS)("$name lists an installed skill, and gets its content only from the skill", async (agent) => {
  const { model, home, said } = await ask(agent);
  expect(model.faults).toEqual([]);
  const turns = model.requests.filter(({ side }) => !side);
  expect(textOf(turns[0])).toContain(DESCRIPTION);
  expect(textOf(turns[0])).toContain("field-guide");
  expect(textOf(turns[0])).not.toContain(CODEWORD);
  expect(textOf(turns[1])).toContain(CODEWORD);
  expect(said).toContain(`It is ${CODEWORD}.`);
  expect(home.installed).toEqual({ inline: ["vault"], referenced: ["field-guide"] });
  expect(existsSync(home.home)).toBe(false);
});

test("Claude does not change an installed skill, but changes another file", async () => {
  const claude = NATIVE_AGENTS.find(({ name }) => name === "claude") as NativeAgent;
  const folder = temporaryFolder();
  const edit = (path: string) => ({ call: "Write", input: { file_path: path, content: "changed" } });
  await using model = await startScriptedModel([
    () => edit(join(home.skillsDir, "field-guide/SKILL.md")),
    () => edit(join(home.skillsDir, "new-skill/SKILL.md")),
    () => edit(join(folder, "work/notes.md")),
    { say: "Done." },
  ]);
  const person = claude.prepare(folder, model.url);
  const skills = inAgents("fixtures/skills/field-guide");
  await using home = await createTemporaryHome({ agent: "claude", skills, env: { ...person.env, IS_SANDBOX: "1" } });
  const args = [...claude.args, "--permission-mode", "bypassPermissions"];
  expect(await run({ ...claude, args }, home, person.cwd)).toContain("Done.");
  expect(model.faults).toEqual([]);
  const results = model.requests.at(-1)?.toolResults ?? [];
  expect(results.map(({ isError }) => isError)).toEqual([true, true, false]);
  expect(results[0]?.text).toContain("denied");
  expect(readdirSync(home.skillsDir)).toEqual(["field-guide"]);
  expect(readFileSync(join(home.skillsDir, "field-guide/SKILL.md"), "utf8")).not.toContain("changed");
  expect(readFileSync(join(folder, "work/notes.md"), "utf8")).toBe("changed");
});

test("a killed agent leaves nothing behind", async () => {
  const claude = NATIVE_AGENTS.find(({ name }) => name === "claude") as NativeAgent;
  await using model = await startScriptedModel([{ hang: true }]);
  const person = claude.prepare(temporaryFolder(), model.url);
  const home = await createTemporaryHome({
    agent: "claude",
    skills: inAgents("fixtures/skills/field-guide"),
    env: person.env,
  });
  const child = execFile(claude.program, [...claude.args, "Hello"], { env: home.env, cwd: person.cwd });
  child.stdin?.end();
  await vi.waitFor(() => expect(model.requests.length).toBeGreaterThan(0), { timeout: 60_000 });
  child.kill("SIGKILL");
  await once(child, "exit");
  await home.close();
  expect(existsSync(join(home.home, ".."))).toBe(false);
});

/** Runs the agent in a home with two skills; its model asks for one of them, and answers from it. */
async function ask(agent: NativeAgent) {
  const answer = (request: ReceivedRequest) => ({ say: `It is ${/quetzalcoatlus-\d+/.exec(textOf(request))?.[0]}.` });
  await using model = await startScriptedModel([(request) => agent.activate("vault", request), answer]);
  const person = agent.prepare(temporaryFolder(), model.url);
  for (const folder of Object.values(agent.keep(person.env))) mkdirSync(folder, { recursive: true });
  const vault = defineSkill({ name: "vault", description: DESCRIPTION, body: `The codeword is ${CODEWORD}.` });
  await using home = await createTemporaryHome({
    agent: agent.name,
    skills: [vault, inAgents("fixtures/skills/field-guide")],
    keep: agent.keep(person.env),
    env: person.env,
  });
  const said = await run(agent, home, person.cwd);
  return { model, home, said };
}

function run({ program, args }: NativeAgent, { env }: TemporaryHome, cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const given = [...args, "What is the codeword?"];
    const child = execFile(program, given, { env, cwd, timeout: 100_000 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`It failed:\n${stdout}${stderr}`, { cause: error }));
      else resolve(stdout);
    });
    child.stdin?.end();
  });
}

function textOf(request: ReceivedRequest | undefined): string {
  return JSON.stringify(request?.body ?? "");
}
