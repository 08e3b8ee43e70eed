import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { skillMd } from "../../../../test/temporary-folder.ts";
import type { ChatMessage } from "../../shared/api.ts";
import { emptyDatabase, openChat } from "../testing/open-chat.ts";
import { MOST_CALLS } from "./limit-calls.ts";

afterEach(emptyDatabase);

const MB = 1024 * 1024;
const LARGE = "x ".repeat(950_000);
const FILES = {
  ".skills/notes/SKILL.md": skillMd("notes"),
  ".skills/notes/large.md": LARGE,
};
const read = { call: "skills_read_resource", input: { name: "notes", path: "large.md" } };

test("S19: a model that calls more tools at once than an answer needs is cut off, and the next answer works", async () => {
  const calls = Array.from({ length: 5_000 }, () => ({ ...read, input: { name: "notes", path: "SKILL.md" } }));
  const chat = await openChat({ files: FILES, script: [{ calls }, { say: "Here I am." }], pace: "global" });
  const id = await chat.create();
  const { last } = await chat.say(id, "Go", { messageId: "m1" });
  expect(last.metadata?.failure).toBe(
    `The answer was cut off: the model called more than ${MOST_CALLS} tools at once.`,
  );
  expect(last.parts.filter(({ type }) => type.startsWith("tool-")).length).toBeLessThanOrEqual(MOST_CALLS + 1);
  const again = await chat.say(id, "Go", { replaceFrom: "m1", messageId: "m1" });
  expect(JSON.stringify(again.last.parts)).toContain("Here I am.");
});

test("S19: an answer that reads too much is cut off, and a chat with many such answers is not sent whole", async () => {
  const script = Array.from({ length: 8 }, () => ({ calls: [read, read, read] }));
  const chat = await openChat({
    files: FILES,
    script: [...script, { say: "Read." }, ...script.slice(0, 1), { say: "Again." }],
  });
  const id = await chat.create();
  const { last } = await chat.say(id, "Go");
  expect(last.metadata?.failure).toBe("The answer was cut off: it read more than 8 MiB of files.");
  await chat.say(id, "And again");
  const text = await (await chat.call("GET", `/api/chats/${id}`)).text();
  expect(text.length).toBeLessThan(14 * MB);
  expect(text).toContain("This text is left out");
});

test.each([
  ["a gzip bomb", gzipSync(Buffer.alloc(300 * MB, "x")), "gzip"],
  [
    "one piece of 100 MB",
    Buffer.from(`data: {"choices":[{"index":0,"delta":{"content":"${"x".repeat(100 * MB)}"}}]}\n\n`),
    undefined,
  ],
])("S19: %s from a model's server ends the answer after a few megabytes", async (_, body, encoding) => {
  const server = createServer((_request, response) => {
    const headers = { "content-type": "text/event-stream", ...(encoding && { "content-encoding": encoding }) };
    response.writeHead(200, headers).end(body);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const environment = { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, OPENAI_MODELS: "bomb" };
  const chat = await openChat({ environment });
  const id = await chat.create();
  const before = process.memoryUsage().arrayBuffers;
  const { last } = await chat.say(id, "Go", { modelId: "openai-compatible/bomb" });
  expect((last as ChatMessage).metadata?.failure).toContain("sent too much at once");
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(150 * MB);
});
