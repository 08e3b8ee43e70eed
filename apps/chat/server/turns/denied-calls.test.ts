import { afterEach, describe, expect, test } from "vitest";
import { skillMd } from "../../../../test/temporary-folder.ts";
import type { ChatMessage, ToolOutput } from "../../shared/api.ts";
import { emptyDatabase, openChat, TOKEN } from "../testing/open-chat.ts";
import { testRunner } from "../testing/test-runner.ts";

afterEach(emptyDatabase);

const settings = (more = "") => `[app.skills]
enabled = true
directories = ["./.skills"]
scripts = "auto"
consent_seconds = 20
${more}
[database]
folder = "data"
`;

const FILES = {
  ".skills/tea/SKILL.md": skillMd("tea", "Makes tea."),
  ".skills/tea/scripts/brew.sh": "print hot",
  ".skills/house/SKILL.md": skillMd("house", "Rules of the house.", "x", "allowed-tools: Read\n"),
};
const RUN = { call: "skills_run_script", input: { name: "tea", script: "scripts/brew.sh" } };
const ACTIVATE = { call: "skills_activate", input: { name: "house" } };

async function open(files: Readonly<Record<string, string>>, more?: string) {
  const runner = testRunner();
  const script = [ACTIVATE, RUN, { say: "Done." }];
  const chat = await openChat({ files: { ...FILES, ...files }, config: settings(more), script, scriptRunner: runner });
  return { chat, runner, id: await chat.create() };
}

function outputOf({ parts }: ChatMessage): ToolOutput | undefined {
  const part = parts.find(({ type }) => type === "tool-skills_run_script");
  return part?.type === "tool-skills_run_script" && part.state === "output-available" ? part.output : undefined;
}

describe("by default, a script that an active skill does not allow", () => {
  test("is denied without a question, and its card still has the rule after a reload", async () => {
    const { chat, runner, id } = await open({});
    await chat.say(id, "Make tea.");
    const { messages } = await chat.load(id);
    const output = outputOf(messages.at(-1) as ChatMessage);
    const token = "Bash(tea/scripts/brew.sh:*)";
    expect(output).toEqual({
      isError: true,
      code: "script-refused",
      text: expect.stringContaining("while skill 'house' is in use"),
      denied: { skill: "house", field: "allowed-tools", token },
    });
    expect(chat.model.requests.at(-1)?.toolResults.at(-1)?.text).toBe(output?.text);
    expect(runner.jobs).toEqual([]);
    expect(chat.log).toContainEqual(
      expect.objectContaining({ event: "tool-denied", skill: "house", tool: "Bash", token, field: "allowed-tools" }),
    );
  });

  test("is denied by a token in disallowed-tools too", async () => {
    const text = skillMd("house", "Rules of the house.", "x", "disallowed-tools: Bash\n");
    const { chat, id } = await open({ ".skills/house/SKILL.md": text });
    const { last } = await chat.say(id, "Make tea.");
    expect(outputOf(last)?.denied).toEqual({ skill: "house", field: "disallowed-tools", token: "Bash" });
  });

  test("asks for consent once the token is added", async () => {
    const text = skillMd("house", "Rules of the house.", "x", "allowed-tools: Bash(tea/scripts/brew.sh:*)\n");
    const { chat, id } = await open({ ".skills/house/SKILL.md": text });
    const said = chat.say(id, "Make tea.");
    await expect.poll(async () => (await chat.load(id)).script?.state).toBe("asking");
    const { script } = await chat.load(id);
    await chat.call("POST", `/api/chats/${id}/consent`, { call: script?.call, answer: "once" });
    expect(outputOf((await said).last)).toMatchObject({ isError: false });
  });
});

test("a skill's own allowed-tools do not replace the consent to its scripts", async () => {
  const text = skillMd("tea", "Makes tea.", "x", "allowed-tools: Bash(scripts/brew.sh:*) Read\n");
  const house = skillMd("house", "Rules of the house.");
  const { chat, runner, id } = await open({ ".skills/tea/SKILL.md": text, ".skills/house/SKILL.md": house });
  const said = chat.say(id, "/tea now");
  await expect.poll(async () => (await chat.load(id)).script?.state).toBe("asking");
  expect(runner.jobs).toEqual([]);
  const { script } = await chat.load(id);
  const always = { call: script?.call, answer: "always" };
  await chat.call("POST", `/api/chats/${id}/consent`, always, { authorization: `Bearer ${TOKEN}` });
  expect(outputOf((await said).last)).toMatchObject({ isError: false });
  expect(runner.jobs).toHaveLength(1);
});

test.each(["log", "off"])("if allowed_tools is %s, the same script asks for consent", async (policy) => {
  const { chat, id } = await open({}, `allowed_tools = "${policy}"`);
  const said = chat.say(id, "Make tea.");
  await expect.poll(async () => (await chat.load(id)).script?.state).toBe("asking");
  const { script } = await chat.load(id);
  await chat.call("POST", `/api/chats/${id}/consent`, { call: script?.call, answer: "deny" });
  const output = outputOf((await said).last);
  expect(output).toMatchObject({ isError: true, text: expect.stringContaining("consent was denied") });
  expect(output).not.toHaveProperty("denied");
  expect(chat.log.some(({ event }) => event === "tool-outside")).toBe(policy === "log");
});
