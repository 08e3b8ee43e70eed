import { rmSync } from "node:fs";
import { join } from "node:path";
import type { ScriptStep } from "@skillset/testing";
import { afterEach, describe, expect, test } from "vitest";
import { skillMd, writeFiles } from "../../../../test/temporary-folder.ts";
import type { RebuiltRequest } from "../../shared/steps-api.ts";
import { emptyDatabase, openChat, type TestChat } from "../testing/open-chat.ts";

afterEach(emptyDatabase);

const FILES = {
  ".skills/tea/SKILL.md": skillMd("tea", "Makes tea.", "BODY-OLD", "metadata:\n  trigger-keywords: cuppa\n"),
  ".skills/tea/leaves.md": "FILE-OLD",
  ".skills/coffee/SKILL.md": skillMd("coffee", "Makes coffee."),
};
const ACTIVATE: ScriptStep = { call: "skills_activate", input: { name: "tea" } };
const READ: ScriptStep = { call: "skills_read_resource", input: { name: "tea", path: "leaves.md" } };
const CONFIG = `[app.skills]
enabled = true
directories = ["./.skills"]
triggers = "activate"
`;

/** Every way to activate a skill in the chat: what a person writes, and what the model then does. */
const WAYS: readonly (readonly [string, string, readonly ScriptStep[]])[] = [
  ["a call", "A cup, please.", [ACTIVATE, READ, { say: "Done." }]],
  ["a name", "/tea a cup", [READ, { say: "Done." }]],
  ["a trigger", "A cuppa, please.", [READ, { say: "Done." }]],
];
const SAYS = ["Second.", "Third.", "Fourth.", "Fifth."].map((say) => ({ say }));

const last = ({ model }: TestChat): string => JSON.stringify((model.requests.at(-1) as { body: unknown }).body);
const setSwitch = (chat: TestChat, isEnabled: boolean) => chat.asAdmin("PUT", "/api/skills/tea/switch", { isEnabled });

describe.each(WAYS)("a skill that was activated by %s", (_, words, script) => {
  async function start() {
    const chat = await openChat({ files: FILES, config: CONFIG, script: [...script, ...SAYS], pace: "global" });
    const id = await chat.create();
    await chat.say(id, words);
    expect(last(chat)).toMatch(/BODY-OLD[\s\S]*FILE-OLD/);
    return { chat, id };
  }

  test("is in no request after it was disabled, and is active again once it is enabled", async () => {
    const { chat, id } = await start();
    await setSwitch(chat, false);
    await chat.say(id, "Thanks.");
    expect(last(chat)).not.toMatch(/-OLD/);
    await setSwitch(chat, true);
    await chat.say(id, "One more.");
    expect(last(chat)).toMatch(/BODY-OLD[\s\S]*FILE-OLD/);
    expect((await chat.load(id)).active).toMatchObject([{ name: "tea", isMissing: false }]);
    await setSwitch(chat, false);
    rmSync(join(chat.project, ".skills/tea"), { recursive: true });
    await chat.services.skills?.registry.rescan();
    await chat.say(id, "Bye.");
    expect(last(chat)).not.toMatch(/-OLD/);
    expect(chat.model.faults).toEqual([]);
  });

  test("is in no request after it was deleted, and what the model saw can still be shown", async () => {
    const { chat, id } = await start();
    rmSync(join(chat.project, ".skills/tea"), { recursive: true });
    await chat.services.skills?.registry.rescan();
    const { last: answer } = await chat.say(id, "Thanks.");
    expect(last(chat)).not.toMatch(/-OLD/);
    const request = await chat.get<RebuiltRequest>(`/api/chats/${id}/answers/${answer.id}/request?step=1`);
    expect(request).toMatchObject({ isExact: true, reasons: [] });
  });
});

test("a model without tools gets the new instructions of a changed skill", async () => {
  const chat = await openChat({ files: FILES, config: CONFIG, script: SAYS, pace: "global" });
  const id = await chat.create();
  await chat.say(id, "/tea a cup", { modelId: "scripted/plain" });
  expect(last(chat)).toContain("BODY-OLD");
  writeFiles(chat.project, { ".skills/tea/SKILL.md": skillMd("tea", "Makes tea.", "BODY-NEW") });
  await chat.services.skills?.registry.rescan();
  await chat.say(id, "Thanks.", { modelId: "scripted/plain" });
  expect(last(chat)).toContain("BODY-NEW");
  expect(last(chat)).not.toContain("BODY-OLD");
  await setSwitch(chat, false);
  await chat.say(id, "Bye.", { modelId: "scripted/plain" });
  expect(last(chat)).not.toContain("BODY-");
});
