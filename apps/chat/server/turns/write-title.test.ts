import { afterEach, expect, test } from "vitest";
import { emptyDatabase, openChat } from "../testing/open-chat.ts";

afterEach(emptyDatabase);

const QUESTION = "Please look at my retry helper, which hammers the server, and say what to change in it";

test("after its first answer, the model titles a chat in one short request, and not again", async () => {
  const script = [{ say: "Back off." }, { say: '"Reviewing a retry helper."' }, { say: "More." }];
  const chat = await openChat({ script, pace: "global", hasTitles: true });
  const id = await chat.create();
  await chat.say(id, QUESTION);
  await expect.poll(async () => (await chat.load(id)).title).toBe("Reviewing a retry helper");
  expect(chat.model.requests[1]).toMatchObject({ tools: [] });
  expect(chat.model.requests[1]?.body).toMatchObject({ max_tokens: 40 });
  await chat.say(id, "And then?");
  expect(chat.model.requests).toHaveLength(3);
  expect((await chat.load(id)).messages).toHaveLength(4);
});

test("with titles of words, and if the model fails, a chat is titled with its first words", async () => {
  const words = await openChat({ script: [{ say: "Back off." }] });
  const first = await words.create();
  await words.say(first, QUESTION);
  expect(words.model.requests).toHaveLength(1);
  const failing = await openChat({
    script: [{ say: "Back off." }, { fail: { status: 500, message: "Out of order" } }],
    pace: "global",
    hasTitles: true,
  });
  const second = await failing.create();
  await failing.say(second, `/pdf ${QUESTION}`);
  await expect.poll(() => failing.model.requests.length).toBe(2);
  for (const { title } of [await words.load(first), await failing.load(second)]) {
    expect(title).toBe("Please look at my retry helper, which hammers the server,…");
  }
});

test("a title that the user has given stays", async () => {
  const chat = await openChat({ script: [{ say: "Back off." }, { say: "Other" }], pace: "global", hasTitles: true });
  const id = await chat.create();
  const { chats } = chat.services;
  await chats.change(id, { title: "Mine" });
  await chat.say(id, QUESTION);
  expect(chat.model.requests).toHaveLength(1);
  expect(await chats.retitle(id, "Other", { instead: "First words" })).toBe(false);
  expect((await chat.load(id)).title).toBe("Mine");
});
