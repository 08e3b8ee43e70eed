import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { MessageParam } from "@anthropic-ai/sdk/resources/messages";
import { Agent, OpenAIProvider, Runner } from "@openai/agents";
import { generateText } from "ai";
import * as v from "valibot";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { createChat, withSkills } from "../../packages/skillset/src/ai-sdk/index.ts";
import { runMessages } from "../../packages/skillset/src/anthropic/index.ts";
import {
  type AnySchema,
  createSkillset,
  defineTool,
  type JsonSchema,
  type Skillset,
  type Tool,
} from "../../packages/skillset/src/index.ts";
import { runChat, runResponses } from "../../packages/skillset/src/openai/index.ts";
import { withSkills as withAgentSkills } from "../../packages/skillset/src/openai-agents/index.ts";
import { type ScriptStep, startScriptedModel } from "../../packages/testing/src/index.ts";
import { anthropicAt } from "./adapters/anthropic.ts";
import { clientAt } from "./adapters/openai.ts";

type Run = (skills: Skillset, url: string, tools: readonly Tool[]) => Promise<unknown>;

const content = "Wake me.";
const messages = [{ role: "user" as const, content }];
const modelAt = (url: string) =>
  createOpenAICompatible({ name: "scripted", baseURL: `${url}/v1` }).chatModel("scripted");

/** Every adapter, with the host's tools at the top level of the call. */
const RUNS: Readonly<Record<string, Run>> = {
  "AI SDK, withSkills": async (skills, url, tools) => {
    const { invoked: _, ...settings } = await withSkills({
      session: await skills.session(),
      request: { messages },
      tools,
    });
    return generateText({ model: modelAt(url), ...settings });
  },
  "AI SDK, createChat": async (skills, url, tools) =>
    (await createChat({ skills, request: { model: modelAt(url), temperature: 0 }, tools })).send(content),
  "OpenAI Chat": async (skills, url, tools) =>
    runChat({
      client: clientAt(url),
      session: await skills.session(),
      request: { model: "scripted", messages },
      tools,
    }),
  "OpenAI Responses": async (skills, url, tools) => {
    const request = { model: "scripted", input: content };
    return runResponses({ client: clientAt(url), session: await skills.session(), request, tools });
  },
  Anthropic: async (skills, url, tools) => {
    const request = { model: "scripted", max_tokens: 100, messages: messages as MessageParam[] };
    return runMessages({ client: anthropicAt(url), session: await skills.session(), request, tools });
  },
  "OpenAI Agents": async (skills, url, tools) => {
    const turn = await withAgentSkills({ session: await skills.session(), request: { input: content }, tools });
    const agent = new Agent({ name: "Waiter", model: "scripted", instructions: turn.instructions, tools: turn.tools });
    const modelProvider = new OpenAIProvider({ openAIClient: clientAt(url) as never, useResponses: true });
    return new Runner({ modelProvider, tracingDisabled: true }).run(agent, turn.input);
  },
};

const json: JsonSchema = {
  type: "object",
  properties: { minutes: { type: "number" } },
  required: ["minutes"],
  additionalProperties: false,
};
const valibot = v.object({ minutes: v.number() });
/** What `toStandardJsonSchema` of `@valibot/to-json-schema` returns. */
const valibotWithJson: AnySchema<{ minutes: number }> = {
  "~standard": { ...valibot["~standard"], jsonSchema: { input: () => json } } as (typeof valibot)["~standard"],
};
const SCHEMAS: Readonly<
  Record<string, { readonly schema: AnySchema<{ minutes: number }>; readonly isShown: boolean }>
> = {
  zod: { schema: z.object({ minutes: z.number() }), isShown: true },
  "JSON Schema": { schema: json as AnySchema<{ minutes: number }>, isShown: true },
  valibot: { schema: valibot, isShown: false },
  "valibot with its JSON Schema": { schema: valibotWithJson, isShown: true },
};

async function play(run: Run, schema: AnySchema<{ minutes: number }>) {
  const given: unknown[] = [];
  const timer = defineTool({
    name: "set_timer",
    description: "Sets a timer.",
    inputSchema: schema,
    handler: (input) => {
      given.push(input);
      return `${input.minutes} minutes.`;
    },
  });
  const script: ScriptStep[] = [
    { call: "set_timer", input: { minutes: "soon" } },
    { call: "set_timer", input: { minutes: 3 } },
    { say: "Done." },
  ];
  const model = await startScriptedModel(script, { isSide: () => false });
  onTestFinished(() => model.close());
  await run(await createSkillset([]), model.url, [timer]);
  return { given, requests: model.requests, faults: model.faults };
}

describe.each(Object.entries(RUNS))("%s", (_adapter, run) => {
  test.each(Object.entries(SCHEMAS))("validates the input of a tool with %s", async (_library, { schema, isShown }) => {
    const { given, requests, faults } = await play(run, schema);
    expect(faults).toEqual([]);
    expect(given).toEqual([{ minutes: 3 }]);
    const [first, , last] = requests;
    expect(first?.tools).toEqual(["set_timer"]);
    expect(JSON.stringify(first?.body.tools).includes('"minutes":{"type":"number"}')).toBe(isShown);
    const [refused, done] = last?.toolResults.map(({ text }) => text) ?? [];
    expect(refused).toMatch(/^Invalid input for tool 'set_timer': .*minutes/);
    expect(done).toBe("3 minutes.");
  });
});

test("a tool in the request and one of the host with the same name are refused", async () => {
  const session = await (await createSkillset([])).session();
  const own = defineTool({ name: "pay", description: "Pays.", handler: () => "Paid." });
  const refused = { code: "option-invalid", message: "Two tools have the name 'pay'." };
  const tools = { pay: { inputSchema: {} as never } };
  await expect(withSkills({ session, request: { messages, tools }, tools: [own] })).rejects.toMatchObject(refused);
  const request = { input: content, tools: [{ type: "hosted_tool" as const, name: "pay" }] };
  await expect(withAgentSkills({ session, request, tools: [own] })).rejects.toMatchObject(refused);
});
