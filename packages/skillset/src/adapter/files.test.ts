import { Anthropic } from "@anthropic-ai/sdk";
import type { MessageParam } from "@anthropic-ai/sdk/resources/messages";
import type { ModelMessage } from "ai";
import { OpenAI } from "openai";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { ResponseInputItem } from "openai/resources/responses/responses";
import { describe, expect, onTestFinished, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { startScriptedModel } from "../../../testing/src/index.ts";
import { compactMessages as compactAi } from "../ai-sdk/index.ts";
import { compactMessages, runMessages } from "../anthropic/index.ts";
import { createSkillset, type Session } from "../index.ts";
import { compactChatMessages, compactResponseInput, runChat, runResponses } from "../openai/index.ts";
import { toBase64, toResultFile } from "./index.ts";

const PNG = Buffer.from("\x89PNG\r\n\x1a\n\0", "latin1");
const PDF = Buffer.from("%PDF-1.7\n\0", "latin1");
const FILES = {
  "tea/SKILL.md": skillMd("tea", "Makes tea."),
  "tea/leaf.png": PNG,
  "tea/leaf.pdf": PDF,
  "tea/teas.csv": "tea,minutes\n",
};
const CALLS = ["leaf.png", "leaf.pdf"].map((path) => ({ call: "read_skill_file", input: { skill: "tea", path } }));

async function start(calls = CALLS) {
  const model = await startScriptedModel([{ calls }, { say: "Done." }], { isSide: () => false });
  onTestFinished(() => model.close());
  const session = await (await createSkillset([temporaryFolder(FILES)])).session();
  return { model, session, openai: new OpenAI({ baseURL: `${model.url}/v1`, apiKey: "any" }) };
}

const request = { model: "any", messages: [{ role: "user" as const, content: "Read them." }] };

test("the Chat Completions API gets files in one message after all results, which is no message of a person", async () => {
  const { model, session, openai } = await start();
  const { added } = await runChat({ client: openai, session, request });
  expect(added.map(({ role }) => role)).toEqual(["assistant", "tool", "tool", "user", "assistant"]);
  expect(added[3]?.content).toMatchObject([
    { type: "text", text: "These are the files that the tools returned." },
    { type: "text", text: "'leaf.png' of skill 'tea':" },
    { type: "image_url", image_url: { url: `data:image/png;base64,${PNG.toString("base64")}` } },
    { type: "text", text: "'leaf.pdf' of skill 'tea':" },
    {
      type: "file",
      file: { filename: "leaf.pdf", file_data: `data:application/pdf;base64,${PDF.toString("base64")}` },
    },
  ]);
  // A notice belongs to what a person wrote.
  await session.activate("tea", { by: "host" });
  const asked = [...request.messages, ...added, { role: "user" as const, content: "And now?" }];
  await runChat({ client: openai, session, request: { ...request, messages: asked } });
  const sent = model.requests.at(-1)?.body.messages as ChatCompletionMessageParam[];
  expect(sent.filter(({ content }) => JSON.stringify(content).includes("<skill_notice>"))).toHaveLength(1);
  expect(sent.find((message) => Array.isArray(message.content))).toEqual(added[3]);
});

test("the Responses API gets files in the output of the call", async () => {
  const { session, openai } = await start();
  const { added } = await runResponses({ client: openai, session, request: { model: "any", input: "Read them." } });
  expect(added.filter(({ type }) => type === "function_call_output")).toMatchObject([
    { output: [{ type: "input_text" }, { type: "input_image", image_url: expect.stringMatching(/^data:image\/png/) }] },
    { output: [{ type: "input_text" }, { type: "input_file", filename: "leaf.pdf" }] },
  ]);
});

test("the Messages API gets images and documents in the result, and the cache is marked after them", async () => {
  const { model, session } = await start([
    ...CALLS,
    { call: "read_skill_file", input: { skill: "tea", path: "teas.csv" } },
  ]);
  const client = new Anthropic({ baseURL: model.url, apiKey: "any" });
  await runMessages({ client, session, request: { ...request, max_tokens: 10 } });
  const sent = (model.requests[1]?.body.messages ?? []) as MessageParam[];
  expect(sent.at(-1)?.content).toMatchObject([
    { content: [{ type: "text" }, { type: "image", source: { media_type: "image/png" } }] },
    { content: [{ type: "text" }, { type: "document", title: "leaf.pdf", source: { media_type: "application/pdf" } }] },
    {
      cache_control: { type: "ephemeral" },
      content: [
        { type: "text" },
        {
          type: "document",
          title: "teas.csv",
          source: { type: "text", media_type: "text/plain", data: "tea,minutes\n" },
        },
      ],
    },
  ]);
});

test.each(["chat", "responses", "messages"])("with 'files: false', %s gets sentences", async (api) => {
  const { model, session, openai } = await start();
  const client = new Anthropic({ baseURL: model.url, apiKey: "any" });
  if (api === "chat") await runChat({ client: openai, session, request, files: false });
  else if (api === "responses")
    await runResponses({ client: openai, session, request: { model: "any", input: "Hi." }, files: false });
  else await runMessages({ client, session, request: { ...request, max_tokens: 10 }, files: false });
  expect(model.requests[1]?.files).toEqual([]);
  expect(model.requests[1]?.toolResults.map(({ text }) => text)).toEqual([
    "'leaf.png' is a binary file: binary not supported.",
    "'leaf.pdf' is a binary file: binary not supported.",
  ]);
});

describe("a shortened history", () => {
  const url = `data:image/png;base64,${"A".repeat(400_000)}`;
  const ask = (content: string) => ({ role: "user" as const, content });
  const image = {
    type: "image" as const,
    source: { type: "base64" as const, media_type: "image/png" as const, data: url },
  };
  const chat: ChatCompletionMessageParam[] = [
    ask("Read."),
    { role: "user", content: [{ type: "image_url", image_url: { url } }] },
    ask("Now?"),
  ];
  const responses: ResponseInputItem[] = [
    ask("Read."),
    { type: "function_call_output", call_id: "1", output: [{ type: "input_image", image_url: url }] },
    ask("Now?"),
  ];
  const messages: MessageParam[] = [
    ask("Read."),
    { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: [image] }] },
    ask("Now?"),
  ];
  const file = { type: "file" as const, mediaType: "image/png", data: { type: "data" as const, data: url } };
  const result = { type: "tool-result" as const, toolCallId: "1", toolName: "read_skill_file" };
  const ai: ModelMessage[] = [
    ask("Read."),
    { role: "tool", content: [{ ...result, output: { type: "content", value: [file] } }] },
    ask("Now?"),
  ];
  const all: readonly [
    string,
    (session: Session, tokens: number) => Promise<{ readonly messages: readonly unknown[] }>,
  ][] = [
    ["Chat Completions", (session, tokens) => compactChatMessages(session, chat, { budget: { tokens } })],
    ["Responses", (session, tokens) => compactResponseInput(session, responses, { budget: { tokens } })],
    ["Messages", (session, tokens) => compactMessages(session, messages, { budget: { tokens } })],
    ["AI SDK", (session, tokens) => compactAi(session, ai, { budget: { tokens } })],
  ];

  test.each(all)(
    "of %s keeps a picture for about 1,600 tokens, and drops it with its exchange",
    async (_name, compact) => {
      const session = await (await createSkillset([])).session();
      expect(JSON.stringify((await compact(session, 1_700)).messages)).toContain(url);
      const short = (await compact(session, 1_500)).messages;
      expect(JSON.stringify(short)).not.toContain(url);
      expect(short.at(-1)).toEqual(ask("Now?"));
    },
  );
});

test("a file of a result has no bytes in JSON, and any bytes are encoded", () => {
  const data = Uint8Array.from({ length: 20_000 }, (_, index) => index % 256);
  const file = toResultFile({ path: "a/b.bin", mediaType: "application/octet-stream" }, data);
  expect(JSON.parse(JSON.stringify(file))).toEqual({
    path: "a/b.bin",
    mediaType: "application/octet-stream",
    bytes: 20_000,
  });
  expect(file.data).toBe(data);
  expect(toBase64(data)).toBe(Buffer.from(data).toString("base64"));
});
