import { expect, onTestFinished, test } from "vitest";
import { isAlive } from "../../../../../../test/processes.ts";
import { skillMd, temporaryFolder } from "../../../../../../test/temporary-folder.ts";
import { type ScriptStep, startScriptedAgent } from "../../../../../testing/src/index.ts";
import type { ConsentRequest, ScriptRunner } from "../../../core/script/script.ts";
import { defineSkill } from "../../../core/skill/define-skill.ts";
import { createSkillset } from "../../../node/load/create-skillset.ts";
import { type ConnectAgentOptions, connectAgent, type PermissionRequest, type ThinkEvent } from "../../index.ts";

const FILES = {
  "tea/SKILL.md": skillMd("tea", "Makes tea."),
  "tea/scripts/brew.sh": 'echo "brewing $1"\n',
  "tea/scripts/wait.sh": 'echo "$$"; sleep 60\n',
};
const BREW = { call: "run_skill_script", input: { skill: "tea", script: "scripts/brew.sh", args: ["green"] } };
const SCRIPTS = { runner: "subprocess" } as const;

async function start(script: readonly ScriptStep[], options: ConnectAgentOptions = {}) {
  const scripted = await startScriptedAgent(script);
  const agent = await connectAgent(scripted.app, options);
  onTestFinished(async () => {
    await agent.close();
    await scripted.close();
  });
  const result = () => scripted.requests.at(-1)?.toolResults.at(-1)?.text ?? "";
  return { agent, result, folder: `${temporaryFolder(FILES)}/tea` };
}

test("an agent runs the scripts of a skill that is given by its path, if the permissions allow commands", async () => {
  const asked: PermissionRequest[] = [];
  const ask = (request: PermissionRequest): boolean => asked.push(request) > 0;
  const { agent, result, folder } = await start([BREW, { say: "Done." }], { scripts: SCRIPTS });
  const events: ThinkEvent[] = [];
  const stream = agent.think().text("Tea, please.").skill(folder).permissions({ ask }).stream();
  for await (const event of stream) events.push(event);
  expect(await stream.result).toBe("Done.");
  expect(result()).toContain("brewing green");
  const title = "Run scripts/brew.sh of skill 'tea' without a sandbox";
  expect(asked).toMatchObject([{ title, kind: "execute", input: { args: ["green"] } }]);
  expect(events).toContainEqual({ type: "permission-decided", title, kind: "execute", allowed: true });
  expect(events).toContainEqual({
    type: "skill-script-run",
    skill: "tea",
    script: "scripts/brew.sh",
    outcome: "exited",
    exitCode: 0,
  });
});

test("without permissions, a script is denied", async () => {
  const { agent, result, folder } = await start([BREW, { say: "Done." }], { scripts: SCRIPTS });
  await agent.think().text("Tea, please.").skill(folder).run();
  expect(result()).toBe("The scripts of skill 'tea' may not run: the run's permissions deny it.");
});

test("without a runner, an agent has no operation for scripts", async () => {
  const { agent, folder } = await start([BREW, { say: "Done." }]);
  await expect(agent.think().text("Tea, please.").skill(folder).run()).resolves.toContain("not offered");
});

test("the runner and the consent of a skillset take precedence, also if a run adds skills", async () => {
  const { agent, result, folder } = await start([BREW, { say: "First." }, BREW, { say: "Second." }], {
    permissions: { deny: ["*"] },
  });
  let asked = 0;
  const consent = () => {
    asked++;
    return "always" as const;
  };
  const skills = await createSkillset([folder], { scripts: { ...SCRIPTS, consent } });
  await using chat = agent.session({ skills: await skills.session() });
  const other = defineSkill({ name: "other", description: "Another.", body: "# Other" });
  await chat.think().text("Tea, please.").skill(other).run();
  expect(result()).toContain("brewing green");
  await chat.think().text("More tea, please.").run();
  expect(result()).toContain("brewing green");
  expect(asked).toBe(1);
});

test("each skillset of a run keeps its runner, and the agent's runs those that have none", async () => {
  const skillOf = (name: string) => defineSkill({ name, description: "D.", body: "B.", files: { "scripts/a.sh": "" } });
  const runnerAt = (level: string): ScriptRunner => ({
    level,
    check: async () => undefined,
    run: async ({ script }) => ({ outcome: "exited", exitCode: 0, command: [script], stdout: level, stderr: "" }),
  });
  const ran: string[] = [];
  const scriptsIn = (runner: string) => ({
    runner: runnerAt(runner),
    consent: ({ skill, level }: ConsentRequest): "once" => {
      ran.push(`${skill} in ${level}, asked by ${runner}`);
      return "once";
    },
  });
  const first = await createSkillset([skillOf("one")], { scripts: scriptsIn("first") });
  const second = await createSkillset([skillOf("two")], { scripts: scriptsIn("second") });
  const none = await createSkillset([skillOf("none")]);
  const names = ["one", "two", "none", "own"];
  const calls = names.map((skill) => ({ call: "run_skill_script", input: { skill, script: "scripts/a.sh" } }));
  const { agent } = await start([...calls, { say: "Done." }, ...calls.slice(0, 1), { say: "Done." }], {
    scripts: scriptsIn("agent"),
  });
  await using chat = agent.session();
  const think = () => chat.think().text("Go.");
  await think().skill(first).skill(second).skill(none).skill(skillOf("own")).run();
  // The next run has another skill with that name.
  await think().skill(skillOf("one")).run();
  const expected = ["one in first", "two in second", "none in agent", "own in agent", "one in agent"];
  expect(ran).toEqual(expected.map((one) => `${one}, asked by ${one.split(" ").at(-1)}`));
});

test("a skillset whose scripts are off stays without the agent's runner", async () => {
  const cwd = temporaryFolder({ ".git/x": "", "skillset.json": '{ "profiles": { "calm": { "scripts": "off" } } }' });
  const { agent, folder } = await start([BREW, { say: "Done." }], { scripts: SCRIPTS, permissions: { allow: ["*"] } });
  const skills = await createSkillset([folder], { scripts: SCRIPTS, profile: "calm", cwd });
  await expect(agent.think().text("Tea, please.").skill(skills).run()).resolves.toContain("not offered");
});

test("cancelling a run ends the script", async () => {
  const controller = new AbortController();
  let pid = 0;
  const onOutput = ({ text }: { readonly text: string }): void => {
    pid = Number(text);
    controller.abort();
  };
  const wait = { call: "run_skill_script", input: { skill: "tea", script: "scripts/wait.sh" } };
  const scripts = { ...SCRIPTS, onOutput, consent: () => "once" as const };
  const { agent, folder } = await start([wait, { say: "Done." }], { scripts });
  const run = agent.think().text("Tea, please.").skill(folder).signal(controller.signal).run();
  await expect(run).rejects.toThrow();
  expect(pid).toBeGreaterThan(0);
  await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false);
});
