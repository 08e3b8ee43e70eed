import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect, createServer as createNetworkServer, type Socket } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";
import { answered, expectText, send } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { type StartedChat, startChat } from "./start-chat.ts";

let browser: Browser;
let chat: StartedChat;
let model: Awaited<ReturnType<typeof startTalker>>;

beforeAll(async () => {
  model = await startTalker();
  [browser, chat] = await Promise.all([openBrowser(), startChat({ modelUrl: model.url })]);
});
beforeEach(() => model.forget());
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
  model?.close();
});

/** A model whose answer the test writes, word by word. */
async function startTalker() {
  let response: ServerResponse | undefined;
  let refusals = 0;
  let prepared: { readonly content: string; readonly isWhole: boolean } | undefined;
  const chunk = (delta: object, end: string | null) =>
    `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta, finish_reason: end }] })}\n\n`;
  const LAST = `${chunk({}, "stop")}data: [DONE]\n\n`;
  const server = createServer((request, given) => {
    request.resume();
    if (refusals-- > 0) {
      given.writeHead(429, { "content-type": "application/json", "retry-after": "3" });
      given.end(JSON.stringify({ error: { message: "Slow down." } }));
      return;
    }
    given.writeHead(200, { "content-type": "text/event-stream" });
    given.flushHeaders();
    if (prepared !== undefined) {
      given.write(chunk({ content: prepared.content }, null));
      if (prepared.isWhole) given.end(LAST);
      prepared = undefined;
      return;
    }
    response = given;
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forget: () => {
      response = undefined;
    },
    refuse: (times: number) => {
      refusals = times;
    },
    /** Answers the next request at once, so that the test's own pace is not taken for silence. */
    prepare: (content: string, { isWhole }: { readonly isWhole: boolean }) => {
      prepared = { content, isWhole };
    },
    say: async (content: string) => {
      await expect.poll(() => response !== undefined).toBe(true);
      response?.write(chunk({ content }, null));
    },
    end: async () => {
      await expect.poll(() => response !== undefined).toBe(true);
      response?.end(LAST);
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A network between the page and the server, which can be cut. */
async function startProxy(target: string) {
  const sockets = new Set<Socket>();
  let isCut = false;
  const proxy = createNetworkServer((socket) => {
    if (isCut) return void socket.destroy();
    const server = connect(Number(new URL(target).port), "127.0.0.1");
    for (const one of [socket, server]) {
      sockets.add(one);
      one.on("error", () => {});
      one.on("close", () => {
        sockets.delete(one);
        socket.destroy();
        server.destroy();
      });
    }
    socket.pipe(server).pipe(socket);
  });
  await new Promise<void>((resolve) => void proxy.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    cut();
    proxy.close();
  });
  const restore = () => {
    isCut = false;
  };
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, cut, restore };
}

const answer = (page: Page) => page.locator(".message.assistant").last();

/** Words that are numbered, so that a gap or a double is seen. */
const words = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `w${from + index} `).join("");

async function expectWords(page: Page, to: number): Promise<void> {
  await expectText(answer(page), new RegExp(`^Answer\\s+${words(1, to).trim()}(?!.*w\\d)`, "s"));
}

async function ask(text = "Count.", url = chat.url): Promise<Page> {
  const page = await openPage(browser, url);
  await page.goto("/");
  await send(page, text);
  await page.getByText("Waiting for the answer…").waitFor();
  return page;
}

test("a reload during an answer shows what was written, and continues live", async () => {
  const page = await ask();
  await model.say(words(1, 5));
  await expectWords(page, 5);
  await page.reload();
  await expectWords(page, 5);
  await model.say(words(6, 8));
  await expectWords(page, 8);
  await page.getByRole("button", { name: "Stop" }).waitFor();
  await model.say(words(9, 10));
  await model.end();
  await answered(page);
  await expectWords(page, 10);
  expect(await page.locator(".message").count()).toBe(2);
});

test("a second tab sees the answer live, and both end with the same text", async () => {
  const page = await ask();
  await model.say(words(1, 3));
  await expectWords(page, 3);
  const second = await openPage(browser, chat.url);
  await second.goto(new URL(page.url()).pathname);
  await expectWords(second, 3);
  await model.say(words(4, 6));
  await expectWords(second, 6);
  await expectWords(page, 6);
  await model.end();
  await answered(second);
  await answered(page);
  await expectWords(second, 6);
});

test("a tab that is open when another one asks sees the answer live", async () => {
  const page = await ask();
  await model.end();
  await page.getByRole("button", { name: "Send" }).waitFor();
  const second = await openPage(browser, chat.url);
  await second.goto(new URL(page.url()).pathname);
  await second.locator(".message.user").waitFor();
  model.forget();
  await send(page, "Again.");
  await model.say(words(1, 4));
  await expectWords(second, 4);
  await model.end();
  await answered(second);
});

test("a message right after Stop is not stopped", async () => {
  const page = await ask();
  await model.say(words(1, 3));
  await expectWords(page, 3);
  model.forget();
  const joined: string[] = [];
  page.on("request", (request) => void joined.push(new URL(request.url()).pathname));
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Send" }).waitFor();
  await send(page, "Again.");
  await model.say(words(1, 2));
  await expectWords(page, 2);
  // The page closes a stopped answer's connection after 1.5 seconds, if it is still open.
  await page.waitForTimeout(2_000);
  await model.say(words(3, 4));
  await expectWords(page, 4);
  expect(joined.filter((path) => path.endsWith("/answer"))).toEqual([]);
  await model.end();
  await answered(page);
});

test("a page whose connection breaks says so, and continues without a gap or a double when it is back", async () => {
  const proxy = await startProxy(chat.url);
  const page = await ask("Count.", proxy.url);
  await model.say(words(1, 5));
  await expectWords(page, 5);
  proxy.cut();
  await page.getByText("Connection lost. Reconnecting…").waitFor();
  await model.say(words(6, 12));
  await expectWords(page, 5);
  proxy.restore();
  await expectWords(page, 12);
  expect(await page.getByText("Connection lost. Reconnecting…").count()).toBe(0);
  await model.say(words(13, 15));
  await expectWords(page, 15);
  await model.end();
  await answered(page);
  await expectWords(page, 15);
});

test("a page that is offline when the answer ends has the whole text when it is back", async () => {
  const page = await ask();
  await model.say(words(1, 5));
  await expectWords(page, 5);
  await page.context().setOffline(true);
  await page.getByText("Connection lost. Reconnecting…").waitFor();
  await model.say(words(6, 9));
  await model.end();
  await new Promise((resolve) => setTimeout(resolve, 500));
  await page.context().setOffline(false);
  await expectWords(page, 9);
  await answered(page);
});

test("a model that limits the rate is shown with a countdown, also after a reload, and the answer follows", async () => {
  model.refuse(1);
  const page = await openPage(browser, chat.url);
  await page.goto("/");
  await send(page, "Count.");
  const line = page.getByText(/^The model is not available right now\. Attempt 2 of 3 in \d seconds?\.$/);
  await line.waitFor();
  await page.reload();
  await line.waitFor();
  await model.say(words(1, 3));
  await expectWords(page, 3);
  expect(await line.count()).toBe(0);
  await model.end();
  await answered(page);
});

test("S17: the answer of a killed server keeps what the page had seen, marked as cut off, and can be regenerated", async () => {
  const page = await ask();
  await model.say(words(1, 7));
  await expectWords(page, 7);
  await chat.kill();
  await page.getByText("Connection lost. Reconnecting…").waitFor();
  await expectWords(page, 7);
  await chat.restart();
  await page.getByText("The answer was cut off here.").waitFor({ timeout: 40_000 });
  await expectWords(page, 7);
  model.forget();
  await page.getByRole("button", { name: "Regenerate" }).last().click();
  await model.say(words(1, 2));
  await expectWords(page, 2);
  await model.end();
  await answered(page);
  expect(await page.getByText("The answer was cut off here.").count()).toBe(0);
});

test("a chat that is too long and a model that falls silent are noted at the answer, also after a reload", async () => {
  const folder = temporaryFolder({
    "config.toml": `[models]
max_prompt_tokens = 1000
titles = "words"
idle_seconds = 2
default = "talker/m"
[[models.openai_compatible]]
name = "talker"
base_url = "${model.url}/v1"
models = [{ id = "m" }]
`,
  });
  await using small = await startChat({ configFile: `${folder}/config.toml` });
  const page = await openPage(browser, small.url);
  await page.goto("/");
  model.prepare(words(1, 3), { isWhole: true });
  await send(page, "A long story. ".repeat(200));
  await answered(page);
  model.prepare(words(1, 4), { isWhole: false });
  await send(page, "Another one. ".repeat(200));
  const note = page.getByText("2 earlier messages were left out of the request, because this chat is too long");
  await note.waitFor();
  const alert = page.locator(".conversation").getByRole("alert");
  await expectText(alert, "The answer was cut off: the model sent nothing for 2 seconds.");
  await page.reload();
  await note.waitFor();
  await expectText(alert, "The answer was cut off: the model sent nothing for 2 seconds.");
  await expectText(answer(page), words(1, 4).trim());
});
