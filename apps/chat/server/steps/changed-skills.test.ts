import { rmSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { skillMd, writeFiles } from "../../../../test/temporary-folder.ts";
import type { AnswerStepsView, RebuiltRequest } from "../../shared/steps-api.ts";
import { emptyDatabase, openChat, type TestChat } from "../testing/open-chat.ts";
import { testRunner } from "../testing/test-runner.ts";
import { changedSkills } from "./changed-skills.ts";
import { MARK } from "./encode-request.ts";
import { KnownTexts } from "./known-texts.ts";
import { rebuildRequest } from "./rebuild-request.ts";

afterEach(emptyDatabase);

const FILES = {
  ".skills/tea/SKILL.md": skillMd("tea", "Brews tea.", "Look at the chart. Topic: $ARGUMENTS."),
  ".skills/tea/references/chart.md": "Green tea needs 80 degrees.",
};
const ACTIVATE = { call: "skills_activate", input: { name: "tea" } };
const read = (path: string) => ({ call: "skills_read_resource", input: { name: "tea", path } });
const END = { say: "Two minutes." };

const changedIn = async (chat: TestChat, id: string, answer: string) =>
  (await chat.get<AnswerStepsView>(`/api/chats/${id}/answers/${answer}/steps`)).steps.map(({ changed }) => changed);
const requestOf = (chat: TestChat, id: string, answer: string, step: number) =>
  chat.get<RebuiltRequest>(`/api/chats/${id}/answers/${answer}/request?step=${step}`);
const rescan = (chat: TestChat) => chat.services.skills?.registry.rescan();

test("a step names the skills that have changed or are gone since, and other steps name none", async () => {
  const chat = await openChat({ files: FILES, script: [ACTIVATE, read("references/chart.md"), END] });
  const id = await chat.create();
  const { last } = await chat.say(id, "How long?");
  expect(await changedIn(chat, id, last.id)).toEqual([[], [], []]);
  writeFiles(chat.project, { ".skills/tea/references/chart.md": "Only cold water." });
  await rescan(chat);
  const changed = [{ skill: "tea", isGone: false }];
  expect(await changedIn(chat, id, last.id)).toEqual([[], [], changed]);
  writeFiles(chat.project, { ".skills/tea/SKILL.md": skillMd("tea", "Brews tea.", "Ask first.") });
  await rescan(chat);
  expect(await changedIn(chat, id, last.id)).toEqual([[], changed, changed]);
  const { isExact, reasons } = await requestOf(chat, id, last.id, 3);
  expect(isExact).toBe(false);
  expect(reasons).toEqual([
    expect.stringMatching(/^The skill 'tea' has changed since \(.*\)\. The text of that time is not stored\.$/),
    expect.stringMatching(/^'references\/chart\.md' of the skill 'tea' has changed since /),
  ]);
  rmSync(`${chat.project}/.skills/tea`, { recursive: true });
  await rescan(chat);
  const gone = [{ skill: "tea", isGone: true }];
  expect(await changedIn(chat, id, last.id)).toEqual([[], gone, gone]);
});

test("instructions that an earlier message invoked belong to their skill, and a change of them is found", async () => {
  const chat = await openChat({ files: FILES, script: [END, END] });
  const id = await chat.create();
  const { last } = await chat.say(id, "/tea for two");
  const { last: next } = await chat.say(id, "Sure?");
  expect([await changedIn(chat, id, last.id), await changedIn(chat, id, next.id)]).toEqual([[[]], [[]]]);
  const { steps } = await chat.get<AnswerStepsView>(`/api/chats/${id}/answers/${next.id}/steps`);
  expect(steps[0]?.parts).toContainEqual(expect.objectContaining({ kind: "instructions", skill: "tea", count: 1 }));
  writeFiles(chat.project, { ".skills/tea/SKILL.md": skillMd("tea", "Brews tea.", "Ask first. $ARGUMENTS") });
  await rescan(chat);
  expect(await changedIn(chat, id, next.id)).toEqual([[{ skill: "tea", isGone: false }]]);
});

test("a file that could not be read is no change", async () => {
  const chat = await openChat({ files: FILES, script: [ACTIVATE, read("references/none.md"), END] });
  const id = await chat.create();
  const { last } = await chat.say(id, "How long?");
  expect(await changedIn(chat, id, last.id)).toEqual([[], [], []]);
  expect((await requestOf(chat, id, last.id, 3)).isExact).toBe(true);
});

test("a file that a script wrote is no change of the skill, and a sentence says that it is not stored", async () => {
  const run = { call: "skills_run_script", input: { name: "tea", script: "scripts/brew.sh" } };
  const chat = await openChat({
    files: { ...FILES, ".skills/tea/scripts/brew.sh": 'write "cups.txt" three cups\n' },
    config: `[app.skills]\nenabled = true\ndirectories = ["./.skills"]\nscripts = "auto"\n[database]\nfolder = "data"\n`,
    script: [ACTIVATE, run, read("$OUTPUT_DIR/cups.txt"), END],
    scriptRunner: testRunner(),
  });
  const id = await chat.create();
  const said = chat.say(id, "How many?");
  await expect.poll(async () => (await chat.load(id)).script?.state).toBe("asking");
  await chat.call("POST", `/api/chats/${id}/consent`, { call: (await chat.load(id)).script?.call, answer: "once" });
  const { last } = await said;
  expect(JSON.stringify(chat.model.requests[3]?.body)).toContain("three cups");
  expect(await changedIn(chat, id, last.id)).toEqual([[], [], [], []]);
  const { isExact, reasons } = await requestOf(chat, id, last.id, 4);
  expect([isExact, reasons]).toEqual([false, ["A script wrote '$OUTPUT_DIR/cups.txt'. Its text is not stored."]]);
});

test("instructions with the tools of a toolset have changed only if the skill has", async () => {
  const kettle = (body: string) => ({
    ".skills/tea/SKILL.md": skillMd("tea", "Brews tea.", body, 'toolsets: ["toolsets/index:Kettle"]\n'),
  });
  const chat = await openChat({ files: kettle("Boil it."), script: [ACTIVATE, END] });
  const id = await chat.create();
  await chat.say(id, "How long?");
  const { messages } = await chat.load(id);
  // Tools that were loaded for the answer are part of the text, so no current text has its digest.
  const instructions = { digest: "sha256:0", kind: "instructions", tokens: 1, skill: "tea" } as const;
  const sent = [{ role: "system", content: `${MARK}0` }];
  const texts = { texts: [instructions], known: [instructions] };
  const recipe = { digest: "sha256:1", same: 0, messages: sent, all: sent, tools: undefined, settings: {}, ...texts };
  const registry = chat.services.skills?.registry;
  expect(await changedSkills([recipe], { messages, registry })).toEqual([[]]);
  expect(await rebuildRequest(recipe, { step: 1, known: new KnownTexts(), registry })).toMatchObject({
    isExact: false,
    reasons: ["The instructions of 'tea' contained tools that were loaded for this answer. They cannot be rebuilt."],
  });
  writeFiles(chat.project, kettle("Boil it twice."));
  await rescan(chat);
  expect(await changedSkills([recipe], { messages, registry })).toEqual([[{ skill: "tea", isGone: false }]]);
});
