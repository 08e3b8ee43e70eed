import type { MessageCreateParamsNonStreaming } from "@anthropic-ai/sdk/resources/messages";
import { expect, test } from "vitest";
import { type CacheOption, markCache } from "./mark-cache.ts";

type Fields = Partial<Omit<MessageCreateParamsNonStreaming, "messages">> & { readonly messages?: unknown };

const mark = { type: "ephemeral" as const };
const hour = { ...mark, ttl: "1h" as const };
const text = (value: string, cache_control?: object) => ({
  type: "text" as const,
  text: value,
  ...(cache_control && { cache_control }),
});

function marked(fields: Fields, cache?: CacheOption) {
  const messages = [{ role: "user", content: "Hi." }];
  return markCache({ model: "any", max_tokens: 1, messages, system: "Be brief.", ...fields } as never, cache);
}

test("the end of the system prompt and of the last message are marked, and nothing else", () => {
  const messages = [
    { role: "user", content: "Hi." },
    { role: "assistant", content: [text("Yes?")] },
    { role: "user", content: [text("One."), text("Two.")] },
  ];
  const sent = marked({ messages });
  expect(sent.system).toEqual([text("Be brief.", mark)]);
  expect(sent.messages.map(({ content }) => content)).toEqual([
    [text("Hi.")],
    [text("Yes?")],
    [text("One."), text("Two.", mark)],
  ]);
});

test("the marks can last an hour, or be left out", () => {
  expect(JSON.stringify(marked({}, "1h")).split('"ttl":"1h"')).toHaveLength(3);
  const messages = [{ role: "user" as const, content: "Hi." }];
  const body = { model: "any", max_tokens: 1, messages };
  expect(markCache(body, false)).toBe(body);
});

test.each([0, 1, 2, 3, 4])("with %i marks of the host there are at most four, the last message first", (count) => {
  const system = Array.from({ length: count }, (_, index) => text(`Part ${index}.`, mark));
  const sent = marked({ system: [...system, text("Catalog.")] as never });
  const all = JSON.stringify(sent).split('"cache_control"').length - 1;
  expect(all).toBe(Math.min(count + 2, 4));
  expect(JSON.stringify(sent.messages).includes("cache_control")).toBe(count < 4);
  expect(JSON.stringify((sent.system as object[]).at(-1)).includes("cache_control")).toBe(count < 3);
});

test("marks in tools, in results and on the whole request count", () => {
  const results = [{ type: "tool_result", tool_use_id: "1", content: [text("Done.", mark)] }];
  const messages = [
    { role: "user", content: results },
    { role: "user", content: "Thanks." },
  ];
  const tools = [{ name: "pay", input_schema: { type: "object" as const }, cache_control: mark }];
  const sent = marked({ messages, tools, cache_control: mark });
  expect(JSON.stringify(sent.messages.at(-1))).not.toContain("cache_control");
  expect(sent.system).toEqual([text("Be brief.", mark)]);
  expect(JSON.stringify(marked({ messages, tools })).split('"cache_control"')).toHaveLength(5);
});

test("a value named 'cache_control' in a call's input is no mark", () => {
  const call = {
    type: "tool_use",
    id: "1",
    name: "set",
    input: { cache_control: mark, parts: [{ cache_control: mark }] },
  };
  const messages = [
    { role: "assistant", content: [call, call] },
    { role: "user", content: "Continue." },
  ];
  expect(marked({ messages }).system).toEqual([text("Be brief.", mark)]);
});

test("thinking and empty texts are not marked, and the host's mark at the end stays", () => {
  const thinking = { type: "thinking", thinking: "Hm.", signature: "eA" };
  const last = (content: object[]) => marked({ messages: [{ role: "assistant", content }] }).messages[0]?.content;
  expect(last([text("One."), thinking, text("")])).toEqual([text("One.", mark), thinking, text("")]);
  expect(last([thinking])).toEqual([thinking]);
  expect(last([text("One.", hour)])).toEqual([text("One.", hour)]);
});

test("the mark of the system prompt lasts as long as the longest one in the messages", () => {
  const messages = [
    { role: "user", content: [text("Long.", hour)] },
    { role: "user", content: "Hi." },
  ];
  const sent = marked({ messages });
  expect(sent.system).toEqual([text("Be brief.", hour)]);
  expect(sent.messages.at(-1)?.content).toEqual([text("Hi.", mark)]);
});

test("the mark of the system prompt lasts as long as the one on the whole request", () => {
  const sent = marked({ cache_control: hour });
  expect(sent.system).toEqual([text("Be brief.", hour)]);
  expect(marked({ cache_control: mark }, "1h").system).toEqual([text("Be brief.", hour)]);
});

test.each<[string, Fields]>([
  ["a tool", { tools: [{ name: "pay", input_schema: { type: "object" }, cache_control: mark }] }],
  ["the system prompt", { system: [text("First.", mark), text("Be brief.")] as never }],
])("after a mark of five minutes on %s, no mark lasts an hour", (_where, fields) => {
  const sent = marked(fields, "1h");
  expect(JSON.stringify(sent).split('"cache_control"')).toHaveLength(4);
  expect(JSON.stringify(sent)).not.toContain("1h");
});

test("after a mark of five minutes in the messages, only the system prompt is marked for an hour", () => {
  const messages = [
    { role: "user", content: [text("Short.", { ...mark, ttl: "5m" })] },
    { role: "user", content: "Hi." },
  ];
  const sent = marked({ messages }, "1h");
  expect(sent.system).toEqual([text("Be brief.", hour)]);
  expect(sent.messages.at(-1)?.content).toEqual([text("Hi.", mark)]);
});

test("a request without a system prompt gets none", () => {
  expect(marked({ system: undefined as never }).system).toBeUndefined();
});
