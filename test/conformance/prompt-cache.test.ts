import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { MessageParam } from "@anthropic-ai/sdk/resources/messages";
import { Agent, type AgentInputItem, OpenAIProvider, Runner } from "@openai/agents";
import { generateText, type ModelMessage } from "ai";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { ResponseInputItem } from "openai/resources/responses/responses";
import { describe, expect, test } from "vitest";
import { goneText } from "../../packages/skillset/src/adapter/index.ts";
import { withSkills } from "../../packages/skillset/src/ai-sdk/index.ts";
import { runMessages } from "../../packages/skillset/src/anthropic/index.ts";
import { createSkillset, defineSkill, MemorySessionStore, type Session } from "../../packages/skillset/src/index.ts";
import { runChat, runResponses } from "../../packages/skillset/src/openai/index.ts";
import { withSkills as withAgentSkills } from "../../packages/skillset/src/openai-agents/index.ts";
import type { ScriptOptions } from "../../packages/skillset/src/scripts/index.ts";
import { type ScriptStep, startScriptedModel } from "../../packages/testing/src/index.ts";
import { skillMd, temporaryFolder } from "../temporary-folder.ts";
import { anthropicAt } from "./adapters/anthropic.ts";
import { clientAt } from "./adapters/openai.ts";

/** One turn of a host that keeps the history: takes the earlier messages, and returns them with the answer. */
type Host = (session: Session, url: string, history: readonly unknown[], text: string) => Promise<readonly unknown[]>;

const instructions = "You are a waiter.";
const HOSTS: Readonly<Record<string, Host>> = {
  "AI SDK": async (session, url, history, text) => {
    const messages = [...history, { role: "user", content: text }] as ModelMessage[];
    const model = createOpenAICompatible({ name: "scripted", baseURL: `${url}/v1` }).chatModel("scripted");
    const request = await withSkills({ session, request: { instructions, messages } });
    return [...messages, ...(await generateText({ model, ...request })).responseMessages];
  },
  "OpenAI Responses": async (session, url, history, text) => {
    const input = [...history, { role: "user", content: text }] as ResponseInputItem[];
    const { added } = await runResponses({
      client: clientAt(url),
      session,
      request: { model: "scripted", instructions, input },
    });
    return [...input, ...added];
  },
  "OpenAI Chat": async (session, url, history, text) => {
    const messages = [...history, { role: "user", content: text }] as ChatCompletionMessageParam[];
    const { added } = await runChat({ client: clientAt(url), session, request: { model: "scripted", messages } });
    return [...messages, ...added];
  },
  Anthropic: async (session, url, history, text) => {
    const messages = [...history, { role: "user", content: text }] as MessageParam[];
    const request = { model: "scripted", max_tokens: 1_000, system: instructions, messages };
    const { added } = await runMessages({ client: anthropicAt(url), session, request });
    return [...messages, ...added];
  },
  "OpenAI Agents": async (session, url, history, text) => {
    const input = [...history, { role: "user", content: text }] as AgentInputItem[];
    const turn = await withAgentSkills({ session, request: { instructions, input } });
    const agent = new Agent({ name: "Waiter", model: "scripted", instructions: turn.instructions, tools: turn.tools });
    const modelProvider = new OpenAIProvider({ openAIClient: clientAt(url) as never, useResponses: true });
    const runner = new Runner({ modelProvider, tracingDisabled: true });
    const { callModelInputFilter } = turn;
    return (await runner.run(agent, turn.input, { callModelInputFilter })).history;
  },
};

/** The marks of Anthropic's cache move to the end of each request, and are no part of what it compares. */
function withoutMarks(body: object): object {
  return JSON.parse(JSON.stringify(body), (key, value) => (key === "cache_control" ? undefined : value));
}

/** What a removal may change: the instructions of the skill that is gone. */
function withoutDog(messages: readonly unknown[] = []): unknown {
  return JSON.parse(JSON.stringify(messages), (_, value) =>
    typeof value === "string" && value.startsWith('<skill_content name="dog">') ? goneText("dog") : value,
  );
}

const NAMES = ["ant", "bee", "cow", "dog", "elk", "fox", "gnu"];
const animal = (name: string, version = 1) =>
  defineSkill({
    name,
    description: `Knows the ${name}.`,
    body: `Version ${version} of what to say of the ${name}: $ARGUMENTS`,
  });

/** Twenty turns with six activations; one skill changes, the process restarts, and one skill is removed. */
const TURNS = Array.from({ length: 20 }, (_, index) => {
  const said = `Turn ${index}, please.`;
  if (index === 3) return { text: "/bee in the garden", calls: [] };
  if (index === 17) return { text: "/fox", calls: [] };
  const name = { 1: "ant", 5: "cow", 9: "dog", 15: "elk" }[index];
  return { text: said, calls: name === undefined ? [] : [{ call: "activate_skill", input: { name } }] };
});
const [CHANGES_AT, RESTARTS_AT, VANISHES_AT] = [8, 11, 14];

describe.each(Object.entries(HOSTS))("a long conversation with %s", (_name, host) => {
  test("repeats instructions, tools and messages byte for byte, across a change and a restart; a removal changes only texts of the skill", async () => {
    const script: ScriptStep[] = TURNS.flatMap(({ calls }, index) => [...calls, { say: `Answer ${index}.` }]);
    const model = await startScriptedModel(script, { isSide: () => false, pace: "global" });
    const store = new MemorySessionStore();
    let skills = NAMES.map((name) => animal(name));
    let session = await (await createSkillset(skills)).session({ id: "chat", store });
    let history: readonly unknown[] = [];
    for (const [index, { text }] of TURNS.entries()) {
      if (index === CHANGES_AT) skills = skills.map((one) => (one.name === "cow" ? animal("cow", 2) : one));
      if (index === VANISHES_AT) skills = skills.filter(({ name }) => name !== "dog");
      if (index === RESTARTS_AT) session = await (await createSkillset(skills)).session({ id: "chat", store });
      if (index === CHANGES_AT || index === VANISHES_AT) await session.use(await createSkillset(skills));
      history = await host(session, model.url, history, text);
    }
    await model.close();
    expect(model.faults).toEqual([]);
    const requests = model.requests.map(({ body }) => {
      const { input, messages, instructions, system, tools } = withoutMarks(body) as Record<string, unknown[]>;
      return { system: instructions ?? system, tools, messages: input ?? messages ?? [] };
    });
    expect(requests).toHaveLength(24);
    for (const [index, { system, tools, messages }] of requests.slice(1).entries()) {
      const before = requests[index];
      expect({ system, tools }).toEqual({ system: before?.system, tools: before?.tools });
      const isGone = JSON.stringify(messages).includes(goneText("dog"));
      const wanted = isGone ? withoutDog(before?.messages) : before?.messages;
      expect(messages.slice(0, before?.messages.length)).toEqual(wanted);
    }
    expect(JSON.stringify(requests.at(-1)?.messages)).not.toContain("what to say of the dog");
    const told = JSON.stringify(requests.at(-1)?.messages);
    expect(told.split("These skills are gone: dog.")).toHaveLength(2);
    expect(told.split("The instructions of these skills have changed: cow.")).toHaveLength(2);
    expect(session.active).toEqual(["ant", "bee", "cow", "elk", "fox"]);
  });
});

describe.each(Object.entries(HOSTS))("with %s, scripts", (_name, host) => {
  test("keep instructions and tools as they are while they run, and when the last skill with scripts is removed", async () => {
    const folder = temporaryFolder({ "owl/SKILL.md": skillMd("owl"), "owl/scripts/hoot.sh": "echo hoot\n" });
    const scripts: ScriptOptions = { runner: "subprocess", consent: () => "always" };
    const call = { call: "run_skill_script", input: { skill: "owl", script: "scripts/hoot.sh" } };
    const script: ScriptStep[] = [call, { say: "One." }, call, { say: "Two." }, { say: "Three." }];
    const model = await startScriptedModel(script, { isSide: () => false, pace: "global" });
    const store = new MemorySessionStore();
    const skills = await createSkillset([folder, animal("ant")], { scripts });
    let session = await skills.session({ id: "chat", store });
    let history = await host(session, model.url, [], "First.");
    session = await skills.session({ id: "chat", store });
    history = await host(session, model.url, history, "Second.");
    await session.use(await createSkillset([animal("ant")], { scripts }));
    await host(session, model.url, history, "Third.");
    await model.close();
    expect(model.faults).toEqual([]);
    const requests = model.requests.map(({ body, system, tools }) => ({ system, tools, full: body.tools }));
    expect(requests).toHaveLength(5);
    for (const request of requests.slice(1)) expect(request).toEqual(requests[0]);
    expect(requests[0]?.tools).toContain("run_skill_script");
    expect(requests[0]?.system).toContain("Run a skill's scripts with");
  });

  test("that are added later are offered, and the instructions stay as they are", async () => {
    const scripts = { runner: "subprocess" } as const;
    const model = await startScriptedModel([{ say: "One." }, { say: "Two." }], { isSide: () => false, pace: "global" });
    const session = await (await createSkillset([animal("ant")], { scripts })).session();
    const history = await host(session, model.url, [], "First.");
    const folder = temporaryFolder({ "owl/SKILL.md": skillMd("owl"), "owl/scripts/hoot.sh": "echo hoot\n" });
    await session.use(await createSkillset([animal("ant"), folder], { scripts }));
    await host(session, model.url, history, "Second.");
    await model.close();
    const [before, after] = model.requests;
    expect([before, after].map((one) => one?.tools.includes("run_skill_script"))).toEqual([false, true]);
    expect(after?.system).toBe(before?.system);
  });
});

test("two parallel turns of one session do not see each other's request, a thousand times", async () => {
  const skills = await createSkillset(NAMES.map((name) => animal(name)));
  for (let round = 0; round < 1_000; round++) {
    const session = await skills.session();
    const ask = async (name: string) => {
      const turn = await session.turn([{ role: "user", text: `Describe the ${name}.` }]);
      const activate = turn.tools.find(({ id }) => id === "activate_skill");
      const first = await activate?.execute({ name });
      const second = await activate?.execute({ name });
      const { messages } = await turn.step([...turn.messages, { role: "tool", text: first?.text ?? "" }]);
      return { name, first, second, told: messages.map(({ text }) => text).join("\n") };
    };
    const turns = await Promise.all(["ant", "bee"].map(ask));
    for (const [index, { name, first, second, told }] of turns.entries()) {
      const other = turns[1 - index]?.name as string;
      expect(first?.text).toContain(`what to say of the ${name}`);
      expect(second?.text).toContain("already active");
      expect(told).not.toContain(`what to say of the ${other}`);
      expect(told).not.toContain(`Describe the ${other}.`);
    }
  }
});
