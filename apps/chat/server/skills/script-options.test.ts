import type { ScriptRunner } from "skillset/scripts";
import { afterEach, expect, test } from "vitest";
import { skillMd } from "../../../../test/temporary-folder.ts";
import type { SkillsView } from "../../shared/skills-api.ts";
import { parseConfig } from "../config/config.ts";
import { createLog } from "../observe/log.ts";
import { emptyDatabase, openChat } from "../testing/open-chat.ts";
import { testRunner } from "../testing/test-runner.ts";
import { openScripts } from "./script-options.ts";

afterEach(emptyDatabase);

const FILES = { ".skills/tea/SKILL.md": skillMd("tea"), ".skills/tea/scripts/brew.sh": "print hot" };
const SKILLS = `[app.skills]\nenabled = true\ndirectories = ["./.skills"]\n`;

async function toolsWith(config: string, runner = testRunner()) {
  const chat = await openChat({ files: FILES, config, script: [{ say: "Hello." }], scriptRunner: runner });
  await chat.say(await chat.create(), "Hello");
  return { chat, tools: chat.model.requests[0]?.tools ?? [] };
}

test("scripts are off unless a setting names a runner, and then models have a tool for them", async () => {
  expect((await toolsWith(SKILLS)).tools).toEqual(["skills_activate", "skills_read_resource"]);
  expect((await toolsWith(`${SKILLS}scripts = "off"\n`)).tools).not.toContain("skills_run_script");
  const { chat, tools } = await toolsWith(`${SKILLS}scripts = "auto"\n`);
  expect(tools).toEqual(["skills_activate", "skills_read_resource", "skills_run_script"]);
  expect(chat.log).toContainEqual(
    expect.objectContaining({ level: "info", event: "scripts-enabled", sandbox: "test" }),
  );
});

test.each([
  ['host = "0.0.0.0"\nallowed_hosts = ["chat.example"]', "'server.host' is '0.0.0.0'."],
  ['allowed_hosts = ["chat.example"]', "'server.allowed_hosts' is set."],
  ['trusted_proxies = ["10.0.0.1"]', "'server.trusted_proxies' is set."],
])("a server that others can reach has no scripts, and one line of the log says why: %s", async (server, reason) => {
  const { chat, tools } = await toolsWith(`${SKILLS}scripts = "subprocess"\n[server]\n${server}\n`);
  expect(tools).not.toContain("skills_run_script");
  const lines = chat.log.filter(({ event }) => event === "scripts-disabled");
  expect(lines).toHaveLength(1);
  expect(lines[0]?.reason).toBe(`Scripts run only on a server that no other machine can reach: ${reason}`);
});

test("a sandbox that does not work disables scripts, and the log and the Skills page say why", async () => {
  const { chat, tools } = await toolsWith(`${SKILLS}scripts = "bubblewrap"\n`, testRunner("it is broken."));
  expect(tools).not.toContain("skills_run_script");
  const message = "Scripts are disabled: test: it is broken.";
  expect(chat.log.filter((line) => line.message === message)).toHaveLength(1);
  const { problems } = await chat.get<SkillsView>("/api/skills");
  expect(problems).toContainEqual(expect.objectContaining({ code: "scripts-disabled", message }));
});

test("the chat's runner finds packages that were prepared on the command line", async () => {
  const config = parseConfig(`${SKILLS}scripts = "auto"`, "/any/config.toml");
  if (config.skills === null) throw new Error("Skills are enabled.");
  const runner = { ...testRunner(), platform: async () => "python 3" };
  const { options } = await openScripts(config, config.skills, { environment: {}, log: createLog("silent"), runner });
  const opened = options?.runner as ScriptRunner;
  expect(await opened.platform?.("python")).toBe("python 3");
});
