import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Anthropic } from "@anthropic-ai/sdk";
import { generateText, jsonSchema, type ModelMessage } from "ai";
import { OpenAI } from "openai";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { describe, expect, onTestFinished, test } from "vitest";
import { type ScriptedModel, type ScriptStep, startScriptedModel } from "../../../../testing/src/index.ts";
import { withSkills } from "../../ai-sdk/index.ts";
import { runMessages } from "../../anthropic/index.ts";
import { createSkillset, defineSkill, estimateTokens, type Session } from "../../index.ts";
import { runChat, runResponses } from "../../openai/index.ts";
import type { CompactRequestOptions } from "./compact-request.ts";

const tea = defineSkill({ name: "tea", description: "Makes tea.", body: "TEA-BODY Steep it." });
const LONG = "word ".repeat(400);
const fetchTool = {
  name: "fetch",
  description: "Does it.",
  inputSchema: { type: "object" },
  handler: () => `RESULT ${LONG}`,
};

type Message = { readonly role: "user" | "assistant"; readonly content: string };
type Run = (
  session: Session,
  model: ScriptedModel,
  messages: readonly Message[],
  compact?: CompactRequestOptions,
) => Promise<readonly unknown[]>;

/** Each way to run a conversation, which returns what it added. */
const RUNS: Readonly<Record<string, Run>> = {
  withSkills: async (session, { url }, messages, compact) => {
    const fetch = { inputSchema: jsonSchema({ type: "object" }), execute: fetchTool.handler };
    const own = { messages: messages as ModelMessage[], tools: { fetch } };
    const { invoked: _, ...request } = await withSkills({ session, request: own, ...(compact && { compact }) });
    const model = createOpenAICompatible({ name: "scripted", baseURL: `${url}/v1` }).chatModel("scripted");
    return (await generateText({ model, ...request })).responseMessages;
  },
  runChat: async (session, { url }, messages, compact) => {
    const client = new OpenAI({ apiKey: "any", baseURL: `${url}/v1` });
    const asked = messages as ChatCompletionMessageParam[];
    const options = { tools: [fetchTool], ...(compact && { compact }) };
    return (await runChat({ client, session, request: { model: "scripted", messages: asked }, ...options })).added;
  },
  runResponses: async (session, { url }, messages, compact) => {
    const client = new OpenAI({ apiKey: "any", baseURL: `${url}/v1` });
    const options = { tools: [fetchTool], ...(compact && { compact }) };
    return (await runResponses({ client, session, request: { model: "scripted", input: messages }, ...options })).added;
  },
  runMessages: async (session, { url }, messages, compact) => {
    const client = new Anthropic({ apiKey: "any", baseURL: url });
    const options = { tools: [fetchTool], ...(compact && { compact }) };
    const request = { model: "scripted", max_tokens: 1_000, messages };
    return (await runMessages({ client, session, request, ...options })).added;
  },
};

const history = (exchanges: number): Message[] =>
  Array.from({ length: exchanges }, (_, at): Message[] => [
    { role: "user", content: `QUESTION-${at} ${LONG}` },
    { role: "assistant", content: `ANSWER-${at} ${LONG}` },
  ]).flat();
const ask = (content: string): Message => ({ role: "user", content });

async function open(script: readonly ScriptStep[]) {
  const model = await startScriptedModel(script);
  onTestFinished(() => model.close());
  const body = (at: number): string => JSON.stringify((model.requests[at] as { readonly body: unknown }).body);
  const count = (at: number, text: string): number => body(at).split(text).length - 1;
  return { model, body, count, session: await (await createSkillset([tea])).session() };
}

describe.each(Object.entries(RUNS))("%s", (_, run) => {
  test("shortens the first request when it is over the limit, and sends all of it when there is none", async () => {
    const { model, body, count, session } = await open([{ say: "Whole." }, { say: "Short." }]);
    const messages = [...history(10), ask("LAST")];
    await run(session, model, messages);
    expect(count(0, "QUESTION-")).toBe(10);
    const reports: object[] = [];
    await run(session, model, messages, { tokens: 3_000, onCompact: (report) => reports.push(report) });
    expect([count(1, "QUESTION-0"), count(1, "QUESTION-9"), count(1, "LAST")]).toEqual([0, 1, 1]);
    expect(estimateTokens(body(1))).toBeLessThan(3_000);
    expect(reports).toEqual([{ injected: [], stubbed: [], dropped: expect.any(Number) }]);
  });

  test("shortens between steps, keeps the exchange under way whole, and returns all that the run added", async () => {
    const { model, count, session } = await open([{ call: "fetch", input: {} }, { say: "Done." }]);
    const added = await run(session, model, [...history(2), ask("LAST")], { tokens: 2_000 });
    expect([count(0, "QUESTION-0"), count(1, "QUESTION-0")]).toEqual([1, 0]);
    expect([count(1, "LAST"), count(1, "RESULT")]).toEqual([1, 1]);
    expect(added).toHaveLength(3);
    expect(model.faults).toEqual([]);
  });

  test("keeps the instructions of an active skill exactly once when their message is dropped", async () => {
    const { model, count, session } = await open([{ say: "Steeped." }, { say: "Yes." }]);
    const first = ask(`/tea green ${LONG}`);
    await run(session, model, [first]);
    const messages = [first, ...history(5).slice(1), ask("LAST")];
    await run(session, model, messages, { tokens: 2_000 });
    expect([count(1, "TEA-BODY"), count(1, "green"), count(1, "LAST")]).toEqual([1, 0, 1]);
  });

  test("does not repeat instructions that precede the messages", async () => {
    const { model, count, session } = await open([{ say: "Yes." }]);
    await session.activate("tea", { by: "user" });
    await run(session, model, [...history(5), ask("LAST")], { tokens: 2_000 });
    expect([count(0, "TEA-BODY"), count(0, "QUESTION-0"), count(0, "LAST")]).toEqual([1, 0, 1]);
  });

  test("keeps a last message that is nothing but a skill's name", async () => {
    const { model, count, session } = await open([{ say: "Ready." }]);
    await run(session, model, [...history(5), ask("/tea")], { tokens: 2_000 });
    expect([count(0, "TEA-BODY"), count(0, "QUESTION-0")]).toEqual([1, 0]);
    const request = model.requests[0] as (typeof model.requests)[number];
    expect(request.messages.at(-1)).toMatchObject({ role: "user", text: expect.stringContaining("tea") });
  });

  test("sends the required messages even if they alone exceed the limit", async () => {
    const { model, count, session } = await open([{ say: "Yes." }]);
    await run(session, model, [...history(3), ask(`LAST ${LONG}`)], { tokens: 50 });
    expect([count(0, "QUESTION-"), count(0, "LAST")]).toEqual([0, 1]);
  });

  test("leaves a request within the limit unchanged", async () => {
    const { model, count, session } = await open([{ say: "Yes." }]);
    const onCompact = () => expect.unreachable();
    await run(session, model, [...history(2), ask("LAST")], { tokens: 100_000, onCompact });
    expect(count(0, "QUESTION-")).toBe(2);
  });

  test("rejects a limit that is not a number of tokens", async () => {
    const { model, session } = await open([]);
    await expect(run(session, model, [ask("Hi.")], { tokens: 0 })).rejects.toThrow(
      "'compact.tokens' must be 1 or more",
    );
    expect(model.requests).toEqual([]);
  });
});

test("runResponses counts the host's instructions", async () => {
  const { model, count, session } = await open([{ say: "Yes." }]);
  const client = new OpenAI({ apiKey: "any", baseURL: `${model.url}/v1` });
  const input = [...history(2), ask("LAST")];
  const compact = { tokens: 1_900 };
  await runResponses({ client, session, request: { model: "scripted", instructions: LONG, input }, compact });
  expect([count(0, "QUESTION-0"), count(0, "LAST")]).toEqual([0, 1]);
});
