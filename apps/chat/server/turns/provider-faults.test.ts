import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { skillMd } from "../../../../test/temporary-folder.ts";
import type { ChatMessage, ModelRetry } from "../../shared/api.ts";
import { type Chunk, emptyDatabase, openChat, type TestChat } from "../testing/open-chat.ts";

afterEach(emptyDatabase);

const FILES = { ".skills/notes/SKILL.md": skillMd("notes") };
const ACTIVATE = { call: "skills_activate", input: { name: "notes" } };
const textOf = ({ parts }: ChatMessage) => parts.map((part) => (part.type === "text" ? part.text : "")).join("");
const errorOf = (chunks: readonly Chunk[]) => chunks.find(({ type }) => type === "error")?.errorText;

/** A chunk of a provider's stream. */
const piece = (content: string) =>
  `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;
const END = `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`;

const BROKE_OFF = /^The model '[^']+' stopped in the middle of its answer\. Try again\.$/;
const NO_ANSWER = /^The model '[^']+' sent an invalid response\.$/;

/** Retries in the same process, as the page's button does, and expects a complete answer. */
async function expectRetryWorks(chat: TestChat, id: string, modelId = "scripted/tools"): Promise<void> {
  expect(chat.services.running.size).toBe(0);
  const { chunks, last } = await chat.say(id, "Hello", { replaceFrom: "m1", messageId: "m1", modelId });
  expect(errorOf(chunks)).toBeUndefined();
  expect(textOf(last)).toContain("Here I am.");
  expect(last.metadata?.isCut).toBeUndefined();
  expect((await chat.load(id)).messages).toHaveLength(2);
}

describe("a provider that fails before its first token", () => {
  test.each([
    ["refuses the key", { fail: { status: 401, message: "Incorrect API key." } }, "Incorrect API key."],
    ["does not know the model", { fail: { status: 404, message: "No such model." } }, "No such model."],
    ["sends a page instead", { garbage: "<html><body>Bad gateway</body></html>" }, BROKE_OFF],
    ["sends broken JSON", { garbage: 'data: {"choices": [{\n\n' }, NO_ANSWER],
    ["sends nothing at all", { garbage: "" }, BROKE_OFF],
    ["sends an error as its stream", { garbage: 'data: {"error":{"message":"Overloaded."}}\n\n' }, "Overloaded."],
  ])("and %s is reported with a readable error, and a retry works", async (_, step, sentence) => {
    const chat = await openChat({ files: FILES, script: [step, { say: "Here I am." }] });
    const id = await chat.create();
    const { chunks } = await chat.say(id, "Hello", { messageId: "m1" });
    expect(errorOf(chunks)).toMatch(sentence);
    const [, failed] = (await chat.load(id)).messages;
    expect(failed).toMatchObject({ role: "assistant", parts: [], metadata: { isCut: true, failure: errorOf(chunks) } });
    expect(await (await chat.call("GET", "/metrics")).text()).toContain('chat_answers_total{outcome="failed"} 1');
    await expectRetryWorks(chat, id);
  });

  test("and limits the rate is retried automatically with the time of each retry, then reported", async () => {
    const fail = { status: 429, message: "Rate limit reached." };
    const chat = await openChat({ files: FILES, script: [{ fail }, { fail }, { fail }, { say: "Here I am." }] });
    const id = await chat.create();
    const start = Date.now();
    const { chunks } = await chat.say(id, "Hello", { messageId: "m1" });
    expect(errorOf(chunks)).toBe("Rate limit reached.");
    expect(chat.model.requests).toHaveLength(3);
    const retries = chunks.filter(({ type }) => type === "data-retry").map(({ data }) => data as ModelRetry | null);
    expect(retries).toEqual([
      { at: expect.any(String), attempt: 2, attempts: 3 },
      null,
      { at: expect.any(String), attempt: 3, attempts: 3 },
      null,
    ]);
    expect(Date.parse(retries[0]?.at ?? "")).toBeGreaterThan(start + 1_500);
    await expectRetryWorks(chat, id);
  });

  test("and hangs is cut off after the timeout in the settings", async () => {
    const config = "[models]\ntimeout_seconds = 1";
    const chat = await openChat({ config, script: [{ hang: true }, { say: "Here I am." }] });
    const id = await chat.create();
    const { chunks } = await chat.say(id, "Hello", { messageId: "m1" });
    expect(errorOf(chunks)).toBe("The answer was cut off: it took longer than 1 seconds.");
    await expectRetryWorks(chat, id);
  });

  test("and sends nothing is cut off after the idle time in the settings", async () => {
    const config = "[models]\nidle_seconds = 1";
    const chat = await openChat({ config, script: [{ hang: true }, { say: "Here I am." }] });
    const id = await chat.create();
    const { chunks } = await chat.say(id, "Hello", { messageId: "m1" });
    expect(errorOf(chunks)).toBe("The answer was cut off: the model sent nothing for 1 seconds.");
    expect((await chat.load(id)).messages.at(-1)?.metadata?.failure).toBe(errorOf(chunks));
    await expectRetryWorks(chat, id);
  });
});

describe("after a provider fails in the middle, the partial answer is kept and marked as cut off", () => {
  const fail = { status: 400, message: "The context is too long." };

  test("when the next step fails", async () => {
    const script = [{ ...ACTIVATE, say: "Let me see." }, { fail }, { say: "Here I am." }];
    const chat = await openChat({ files: FILES, script });
    const id = await chat.create();
    const { chunks, last } = await chat.say(id, "Hello", { messageId: "m1" });
    expect(errorOf(chunks)).toBe("The context is too long.");
    expect(textOf(last)).toBe("Let me see.");
    expect(last.metadata).toMatchObject({ isCut: true });
    expect(last.metadata?.isStopped).toBeUndefined();
  });

  test.each([
    [
      "an error in its stream",
      `${piece("Half an ")}data: {"error":{"message":"Rate limit reached."}}\n\n`,
      /Rate limit/,
    ],
    ["garbage", `${piece("Half an ")}data: {{{{\n\n${END}`, NO_ANSWER],
    ["a stream without an end", piece("Half an "), BROKE_OFF],
  ])("when it sends %s", async (_, garbage, sentence) => {
    const chat = await openChat({ files: FILES, script: [{ garbage }, { say: "Here I am." }] });
    const id = await chat.create();
    const { chunks, last } = await chat.say(id, "Hello", { messageId: "m1" });
    expect(errorOf(chunks)).toMatch(sentence);
    expect(textOf(last)).toBe("Half an ");
    expect(last.metadata).toMatchObject({ isCut: true });
    await expectRetryWorks(chat, id);
  });

  test.each([
    ["breaks the connection", "", (response: ServerResponse) => response.destroy(), BROKE_OFF],
    ["takes too long", "timeout_seconds = 2", () => {}, "The answer was cut off: it took longer than 2 seconds."],
    ["goes silent", "idle_seconds = 1", () => {}, "The answer was cut off: the model sent nothing for 1 seconds."],
  ])("when it %s", async (_, setting, go, sentence) => {
    const url = await startBroken(go);
    const chat = await openChat({
      config: `[models]\n${setting}\n[[models.openai_compatible]]\nname = "broken"\nbase_url = "${url}"\nmodels = [{ id = "m" }]`,
      script: [{ say: "Here I am." }],
    });
    const id = await chat.create();
    const { chunks, last } = await chat.say(id, "Hello", { messageId: "m1", modelId: "broken/m" });
    expect(errorOf(chunks)).toMatch(sentence);
    expect(textOf(last)).toBe("Half an ");
    expect(last.metadata).toMatchObject({ isCut: true, failure: errorOf(chunks) });
    await expectRetryWorks(chat, id);
  });
});

/** Starts a model that begins an answer and then misbehaves. */
async function startBroken(go: (response: ServerResponse) => unknown): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(piece("Half an "), () => setTimeout(() => go(response), 50));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

test("S19: an endless answer is cut off at 4 MiB with an error, and the model is no longer read", async () => {
  const chat = await openChat({
    script: [{ garbage: piece("x".repeat(100_000)).repeat(100) + END }, { say: "Here I am." }],
  });
  const id = await chat.create();
  const { chunks, last } = await chat.say(id, "Hello", { messageId: "m1" });
  expect(errorOf(chunks)).toBe("The answer was cut off: it exceeded 4 MiB.");
  expect(last.metadata).toMatchObject({ isCut: true, isTooLong: true });
  expect(textOf(last).length).toBeGreaterThan(4_000_000);
  expect(textOf(last).length).toBeLessThanOrEqual(4 * 1024 * 1024);
  await expectRetryWorks(chat, id);
});
