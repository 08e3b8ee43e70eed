import { rmSync } from "node:fs";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { eq, sql } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";
import { skillMd, writeFiles } from "../../../../test/temporary-folder.ts";
import type { ChatSummary } from "../../shared/api.ts";
import type { AnswerStepsView, RebuiltRequest } from "../../shared/steps-api.ts";
import { answerSteps, attachments } from "../database/schema.ts";
import { PNG, sendFiles, upload } from "../testing/attach.ts";
import { emptyDatabase, openChat, type TestChat } from "../testing/open-chat.ts";

afterEach(emptyDatabase);

const BODY = "Compare the brew with the pomegranate chart before you answer, and name the temperature in degrees.";
const CHART = "pomegranate: 80 degrees, persimmon: 85 degrees, quince: 95 degrees; never above 100.";
const FILES = {
  ".skills/tea/SKILL.md": skillMd("tea", "Brews tea.", `${BODY} Topic: $ARGUMENTS.`),
  ".skills/tea/references/chart.md": CHART,
  ".skills/notes/SKILL.md": skillMd("notes"),
};
const SCRIPT = [
  { call: "skills_activate", input: { name: "tea" } },
  { call: "skills_read_resource", input: { path: "references/chart.md", name: "tea" } },
  { say: "Brew it at 80 degrees." },
];

const stepsOf = (chat: TestChat, id: string, answer = "none") =>
  chat.get<AnswerStepsView>(`/api/chats/${id}/answers/${answer}/steps`);
const requestOf = (chat: TestChat, id: string, answer: string, step: number) =>
  chat.get<RebuiltRequest>(`/api/chats/${id}/answers/${answer}/request?step=${step}`);

/** Sends a rebuilt request again, and returns the body that the server receives. */
async function bodyOf(chat: TestChat, { json }: RebuiltRequest, modelId = "tools"): Promise<string> {
  const bodies: string[] = [];
  const server = createOpenAICompatible({
    name: "scripted",
    baseURL: `${chat.model.url}/v1`,
    includeUsage: true,
    fetch: async (_, init) => {
      bodies.push(String(init?.body));
      return new Response("data: [DONE]\n\n", { headers: { "content-type": "text/event-stream" } });
    },
  });
  await server.chatModel(modelId).doStream(JSON.parse(json));
  return bodies[0] ?? "";
}

test("every request of an answer is rebuilt byte for byte, and no text of a skill is stored", async () => {
  const chat = await openChat({ files: FILES, script: [...SCRIPT, { say: "Two minutes." }, { say: "Yes." }] });
  const id = await chat.create();
  const first = await chat.say(id, "How do I brew pomegranate tea?");
  const second = await chat.say(
    id,
    "/tea for how long, with a long question that is more than eighty characters in length?",
  );
  const third = await chat.say(id, "Sure?");
  const wanted = chat.model.requests.map(({ body }) => JSON.stringify(body));
  const rebuilt = [
    await requestOf(chat, id, first.last.id, 1),
    await requestOf(chat, id, first.last.id, 2),
    await requestOf(chat, id, first.last.id, 3),
    await requestOf(chat, id, second.last.id, 1),
    await requestOf(chat, id, third.last.id, 1),
  ];
  expect(rebuilt.map(({ isExact }) => isExact)).toEqual([true, true, true, true, true]);
  expect(await Promise.all(rebuilt.map((one) => bodyOf(chat, one)))).toEqual(wanted);
  expect(wanted.at(-1)).toContain("Topic: for how long");
  const { rows } = (await chat.services.database.queries.execute(
    sql`SELECT (SELECT string_agg(record, '') FROM answer_steps) || (SELECT string_agg(text, '') FROM prompt_texts) AS all`,
  )) as unknown as { rows: { all: string }[] };
  expect(rows[0]?.all).toContain("You are the assistant in a chat.");
  expect(rows[0]?.all).not.toMatch(/pomegranate|persimmon|degrees/);
});

test("a request to a model without tools is rebuilt byte for byte", async () => {
  const chat = await openChat({ files: FILES, script: [{ say: "At 80." }, { say: "Yes." }] });
  const id = await chat.create();
  await chat.say(id, "/tea of quinces", { modelId: "scripted/plain" });
  const { last } = await chat.say(id, "Sure?", { modelId: "scripted/plain" });
  const rebuilt = await requestOf(chat, id, last.id, 1);
  expect(rebuilt.isExact).toBe(true);
  expect(await bodyOf(chat, rebuilt, "plain")).toBe(JSON.stringify(chat.model.requests.at(-1)?.body));
  expect(rebuilt.messages[0]?.texts.map(({ kind }) => kind)).toContain("instructions");
});

test("the steps have the tokens of each part, the events, and the tokens that the provider reported", async () => {
  const chat = await openChat({ files: FILES, script: SCRIPT });
  const id = await chat.create();
  const { last } = await chat.say(id, "How do I brew pomegranate tea?");
  const { steps, limit, chat: total } = await stepsOf(chat, id, last.id);
  expect(steps.map(({ step, outcome, finish }) => [step, outcome, finish])).toEqual([
    [1, "answered", "tool-calls"],
    [2, "answered", "tool-calls"],
    [3, "answered", "stop"],
  ]);
  expect(limit).toBe(100_000);
  const kinds = steps[2]?.parts.map(({ kind, skill, path }) => [kind, skill, path].filter(Boolean).join(" "));
  expect(kinds).toEqual(["tool", "rules", "catalog", "question", "instructions tea", "file tea references/chart.md"]);
  expect(steps[2]?.parts.every(({ tokens }) => tokens > 0)).toBe(true);
  expect(steps[0]?.parts).not.toContainEqual(expect.objectContaining({ kind: "instructions" }));
  const events = steps.map((step) => step.events.map(({ type }) => type));
  expect(events).toEqual([["skills-offered", "skill-activated"], ["file-read"], []]);
  expect(total).toMatchObject({ answers: 1, steps: 3 });
  expect(last.metadata?.usage).toMatchObject({ steps: 3, input: total.input, output: total.output });
});

test("a step whose skill has changed or is gone says so, and other steps stay exact", async () => {
  const chat = await openChat({ files: FILES, script: SCRIPT });
  const id = await chat.create();
  const { last } = await chat.say(id, "How do I brew it?");
  writeFiles(chat.project, { ".skills/tea/references/chart.md": "Only cold water." });
  await chat.services.skills?.registry.rescan();
  expect((await requestOf(chat, id, last.id, 2)).isExact).toBe(true);
  const changed = await requestOf(chat, id, last.id, 3);
  expect(changed.isExact).toBe(false);
  const file = changed.messages.flatMap(({ texts }) => texts).find(({ kind }) => kind === "file");
  expect(file?.isMissing).toBe(true);
  expect(file?.text).toMatch(
    /^\['references\/chart\.md' of the skill 'tea' has changed since \([0-9a-f]{8}… → [0-9a-f]{8}…\)\./,
  );
  expect(changed.json).not.toContain("Only cold water.");
  rmSync(`${chat.project}/.skills/tea`, { recursive: true });
  await chat.services.skills?.registry.rescan();
  const gone = await requestOf(chat, id, last.id, 2);
  expect(gone.isExact).toBe(false);
  expect(gone.json).toContain("The skill 'tea' is not available.");
  expect((await requestOf(chat, id, last.id, 1)).isExact).toBe(true);
});

test("with a price in the settings, each step, the answer and the chat have a cost", async () => {
  const config = `[app.skills]\nenabled = true\ndirectories = ["./.skills"]\n`;
  const chat = await openChat({ files: FILES, config, script: [{ say: "One." }, { say: "Two." }], prices: PRICE });
  const id = await chat.create();
  const first = await chat.say(id, "One?");
  const second = await chat.say(id, "Two?");
  const { steps, chat: total } = await stepsOf(chat, id, second.last.id);
  const { input = 0, output = 0, cost } = steps[0]?.usage ?? {};
  expect(cost).toBeCloseTo((input * 3 + output * 15) / 1e6, 12);
  expect(second.last.metadata?.usage?.cost).toBe(cost);
  expect(total.cost).toBeCloseTo((cost ?? 0) + (first.last.metadata?.usage?.cost ?? 0), 12);
});

const PRICE = "{ input = 3.0, output = 15 }";

test("failed answers have their steps, and answers without a record have none", async () => {
  const chat = await openChat({ script: [{ fail: { status: 400, message: "No." } }] });
  const id = await chat.create();
  const { last } = await chat.say(id, "Hello?");
  const { steps } = await stepsOf(chat, id, last.id);
  expect(steps.map(({ outcome, usage }) => [outcome, usage.isEstimate])).toEqual([["failed", true]]);
  expect((await requestOf(chat, id, last.id, 1)).isExact).toBe(true);
  expect((await stepsOf(chat, id, "no-such-answer")).steps).toEqual([]);
  expect((await chat.call("GET", `/api/chats/${id}/answers/${last.id}/request?step=2`)).status).toBe(404);
  expect((await chat.call("GET", `/api/chats/${id}/answers/${last.id}/request?step=x`)).status).toBe(400);
});

test("steps stay with an answer that a new branch hides, and are deleted with the chat", async () => {
  const chat = await openChat({ script: [{ say: "One." }, { say: "Two." }] });
  const id = await chat.create();
  const { last } = await chat.say(id, "Hello?", { messageId: "question" });
  await chat.say(id, "Hello again?", { messageId: "other", replaceFrom: "question" });
  await chat.call("DELETE", "/api/bin");
  expect((await stepsOf(chat, id, last.id)).steps).toHaveLength(1);
  expect((await requestOf(chat, id, last.id, 1)).isExact).toBe(true);
  expect((await stepsOf(chat, id)).chat.answers).toBe(2);
  await chat.call("DELETE", `/api/chats/${id}`);
  await chat.call("DELETE", "/api/bin");
  expect(await chat.services.database.queries.select().from(answerSteps)).toEqual([]);
});

test("the steps of a failed answer are deleted when its message is sent again", async () => {
  const chat = await openChat({ script: [{ fail: { status: 400, message: "No." } }, { say: "Yes." }], pace: "global" });
  const id = await chat.create();
  const failed = await chat.say(id, "Hello?", { messageId: "question" });
  await chat.say(id, "Hello?", { messageId: "question" });
  expect((await stepsOf(chat, id, failed.last.id)).steps).toEqual([]);
  expect((await stepsOf(chat, id)).chat.answers).toBe(1);
});

test("a request says which messages were left out, and why", async () => {
  const long = "All work and no play makes a long chat. ".repeat(60);
  const chat = await openChat({
    config: "[models]\nmax_prompt_tokens = 2000",
    script: Array(6).fill({ say: "Noted." }),
  });
  const id = await chat.create();
  for (let turn = 0; turn < 4; turn++) await chat.say(id, `Turn ${turn}. ${long}`);
  const { last } = await chat.say(id, `Turn 4. ${long}`);
  const { steps } = await stepsOf(chat, id, last.id);
  expect(steps[0]?.events).toContainEqual(
    expect.objectContaining({ type: "messages-left-out", count: last.metadata?.leftOut, limit: 2000 }),
  );
  expect((await requestOf(chat, id, last.id, 1)).isExact).toBe(true);
});

describe("attached files", () => {
  /** 30,000 characters, with what is escaped and what a cut can split. */
  const csv = (city: string) => `city,sales\n${`${city},3 </attachment> \u{1f375}\n`.repeat(2_000)}`.slice(0, 30_000);
  const open = (config = "") => openChat({ config, script: Array(6).fill({ say: "Yes." }) });
  const lastOf = async (chat: TestChat, id: string) => (await chat.load(id)).messages.at(-1)?.id ?? "";
  const expectExact = async (chat: TestChat, id: string, answer: string, received: number) => {
    const rebuilt = await requestOf(chat, id, answer, 1);
    expect(rebuilt.isExact).toBe(true);
    expect(await bodyOf(chat, rebuilt)).toBe(JSON.stringify(chat.model.requests[received]?.body));
  };

  test("are rebuilt byte for byte: in later turns, in branches and in a fork, and are not stored again", async () => {
    const chat = await open();
    const id = await chat.create();
    await sendFiles(chat, id, [await upload(chat, "sales.csv", csv("Turin")), await upload(chat, "few.csv", "a,b\n")]);
    const first = await lastOf(chat, id);
    const second = (await chat.say(id, "And then?", { messageId: "second" })).last.id;
    const other = (await chat.say(id, "Or else?", { messageId: "other", replaceFrom: "second" })).last.id;
    expect(JSON.stringify(chat.model.requests[2]?.body)).toContain("Turin,3 &lt;/attachment>");
    await expectExact(chat, id, first, 0);
    await expectExact(chat, id, other, 2);
    expect((await chat.call("POST", `/api/chats/${id}/branch`, { messageId: "second" })).status).toBe(204);
    await expectExact(chat, id, second, 1);
    const fork = (await (
      await chat.call("POST", `/api/chats/${id}/fork`, { messageId: second })
    ).json()) as ChatSummary;
    await chat.call("DELETE", `/api/chats/${id}`);
    await chat.call("DELETE", "/api/bin");
    await expectExact(chat, fork.id, first, 0);
    await expectExact(chat, fork.id, second, 1);
    await expectExact(chat, fork.id, (await chat.say(fork.id, "More?", { messageId: "more" })).last.id, 3);
    const records = await chat.services.database.queries.select().from(answerSteps);
    expect(JSON.stringify(records)).not.toContain("Turin,3");
  });

  test("are rebuilt as far as they were shown, if there was no room for all of a file", async () => {
    const chat = await open("[models]\nmax_prompt_tokens = 25000");
    const id = await chat.create();
    await sendFiles(chat, id, [await upload(chat, "old.csv", csv("Turin"))]);
    const first = await lastOf(chat, id);
    await sendFiles(chat, id, [await upload(chat, "new.csv", csv("Milan"))]);
    expect(JSON.stringify(chat.model.requests[1]?.body)).toContain("(Cut: the first 10000 characters");
    await expectExact(chat, id, first, 0);
    await expectExact(chat, id, await lastOf(chat, id), 1);
  });

  test("are parts of the context by name, and a sentence says which one was deleted since", async () => {
    const chat = await open();
    const id = await chat.create();
    const deleted = await upload(chat, "sales.csv", csv("Turin"));
    await sendFiles(chat, id, [deleted, await upload(chat, "few.csv", "a,b\n"), await upload(chat, "dot.png", PNG)]);
    const answer = await lastOf(chat, id);
    const parts = (await stepsOf(chat, id, answer)).steps[0]?.parts.filter(({ kind }) => kind === "attachment");
    expect(parts?.map(({ path, count }) => [path, count])).toEqual([
      ["sales.csv", 1],
      ["few.csv", 1],
      ["dot.png", 1],
    ]);
    expect(parts?.[0]?.tokens).toBeGreaterThan(5_000);
    const before = await requestOf(chat, id, answer, 1);
    expect(before.isExact).toBe(true);
    expect(before.messages.at(-1)?.texts.map(({ path }) => path)).toEqual([
      undefined,
      "sales.csv",
      "few.csv",
      "dot.png",
      "dot.png",
    ]);
    await chat.services.database.queries.delete(attachments).where(eq(attachments.id, deleted.id));
    const after = await requestOf(chat, id, answer, 1);
    expect(after.isExact).toBe(false);
    expect(after.messages.at(-1)?.texts.filter(({ isMissing }) => isMissing)).toMatchObject([
      { path: "sales.csv", text: "[The attached file 'sales.csv' is no longer stored.]" },
    ]);
    expect(after.json).toContain("a,b");
  });
});
