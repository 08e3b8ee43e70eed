import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { emptyDatabase, openChat } from "../testing/open-chat.ts";

afterEach(emptyDatabase);

const SKILLS = fileURLToPath(new URL("../../../../.skills", import.meta.url));
const NAME = "skills-system-validation";
const CONFIG = `[app.skills]\nenabled = true\ndirectories = [${JSON.stringify(SKILLS)}]\n`;

const read = (path: string) => ({ call: "skills_read_resource", input: { name: NAME, path } });

test("the conformance skill runs in the chat step by step, and each step returns the expected result", async () => {
  const paths = [
    "references/REFERENCE.md",
    "assets/fixture.json",
    "../outside.txt",
    "inside/../../outside.txt",
    "/etc/hostname",
    "references/../assets/fixture.json",
    "scripts/echo.sh",
  ];
  const chat = await openChat({ config: CONFIG, script: [...paths.map(read), { say: "Verdict: passed" }] });
  const id = await chat.create();
  const { last } = await chat.say(id, `/${NAME} all steps`);
  expect(chat.model.requests[0]?.messages.at(-1)?.text).toContain("SSV-MARKER-SKILL-4c1e9a");
  expect(chat.model.requests[0]?.messages.at(-1)?.text).toContain(
    "if a user invoked this skill by its name: all steps",
  );
  const texts = last.parts.flatMap((part) =>
    part.type === "tool-skills_read_resource" && part.state === "output-available" ? [part.output.text] : [],
  );
  expect(texts).toEqual([
    expect.stringContaining("SSV-MARKER-REFERENCE-8b27d0"),
    expect.stringContaining("SSV-MARKER-ASSET-e6035f"),
    "Path traversal is not allowed.",
    "Path traversal is not allowed.",
    "Path must be relative to the skill.",
    expect.stringContaining("SSV-MARKER-ASSET-e6035f"),
    expect.stringContaining("SSV-MARKER-SCRIPT-19da74"),
  ]);
  expect(chat.model.faults).toEqual([]);
  expect((await chat.load(id)).active).toMatchObject([{ name: NAME, by: "user" }]);
});

test("the built-in model finds a skill, activates it and answers", async () => {
  const chat = await openChat({ config: CONFIG });
  const id = await chat.create();
  const { chunks, last } = await chat.say(id, "Please validate the skills system", { modelId: "offline" });
  expect(chunks.filter(({ type }) => type === "error")).toEqual([]);
  expect(last.parts.some(({ type }) => type === "tool-skills_activate")).toBe(true);
  expect((await chat.load(id)).active).toMatchObject([{ name: NAME, by: "model" }]);
  const { last: next } = await chat.say(id, "Thank you", { modelId: "offline-no-tools" });
  expect(next.parts.some(({ type }) => type === "text")).toBe(true);
});

test("the built-in model requests the forbidden paths, and returns a verdict", async () => {
  const chat = await openChat({ config: CONFIG });
  const id = await chat.create();
  const { last } = await chat.say(id, `/${NAME}`, { modelId: "offline" });
  const reads = last.parts.flatMap((part) =>
    part.type === "tool-skills_read_resource" && part.state === "output-available" ? [part] : [],
  );
  expect(reads.map(({ input }) => input.path)).toEqual([
    "references/REFERENCE.md",
    "assets/fixture.json",
    "scripts/echo.sh",
    "../outside.txt",
    "inside/../../outside.txt",
    "/etc/hostname",
    "references/../assets/fixture.json",
  ]);
  const answer = last.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  expect(answer).toContain("- `/etc/hostname`: refused: Path must be relative to the skill.");
  expect(answer).toContain("Verdict: passed, 3 of 3 refused.");
});

test.each(["auto", "embedded"])(
  "with the sandbox '%s', the built-in model runs the script after consent, and its marker is in the answer",
  async (scripts) => {
    const project = temporaryFolder();
    const chat = await openChat({ project, config: `${CONFIG}scripts = "${scripts}"\n[database]\nfolder = "data"\n` });
    const id = await chat.create();
    const said = chat.say(id, `/${NAME}`, { modelId: "offline" });
    await expect.poll(async () => (await chat.load(id)).script?.state).toBe("asking");
    const { script } = await chat.load(id);
    expect(script).toMatchObject({ skill: NAME, script: "scripts/echo.sh", args: ["one", "two words"] });
    await chat.call("POST", `/api/chats/${id}/consent`, { call: script?.call, answer: "once" });
    const { last } = await said;
    const run = last.parts.find(({ type }) => type === "tool-skills_run_script");
    const level = scripts === "auto" ? expect.stringMatching(/^(?:bubblewrap|embedded)$/) : scripts;
    const stdout = "SSV-MARKER-SCRIPT-19da74\n1: one\n2: two words\n";
    expect(run).toMatchObject({ output: { isError: false, data: { outcome: "exited", exitCode: 0, level, stdout } } });
    const answer = last.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
    expect(answer).toMatch(/The script `scripts\/echo\.sh` succeeded after \d+ ms \(sandbox: \w+\)\.\n\nIt printed:/);
    expect(answer).toContain(`\`\`\`text\n${stdout}\`\`\``);
  },
);

test("without the setting for scripts, a script can be read, and nothing in the chat runs it", async () => {
  const trace = join(temporaryFolder(), "ran");
  const script = `#!/bin/sh\ntouch ${trace}\n`;
  const body = "Run `scripts/do.sh` first. `scripts/do.sh` must be run.";
  const files = {
    ".skills/runner/SKILL.md": skillMd("runner", "Runs scripts. Use to run scripts.", body),
    ".skills/runner/scripts/do.sh": script,
  };
  const steps = [
    { call: "skills_activate", input: { name: "runner" } },
    { call: "skills_read_resource", input: { name: "runner", path: "scripts/do.sh" } },
    { say: "Done." },
  ];
  const chat = await openChat({ files, script: steps });
  const id = await chat.create();
  await chat.say(id, "Run the scripts");
  await chat.say(id, "/runner run the scripts", { modelId: "offline" });
  expect(new Set(chat.model.requests.flatMap(({ tools }) => tools))).toEqual(
    new Set(["skills_activate", "skills_read_resource"]),
  );
  expect(chat.model.requests.at(-1)?.toolResults.at(-1)?.text).toBe(script);
  expect(existsSync(trace)).toBe(false);
});
