import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Anthropic } from "@anthropic-ai/sdk";
import { OpenAI } from "openai";
import type { Skillset } from "skillset";
import { createOperations } from "skillset/adapter";
import { createChat } from "skillset/ai-sdk";
import { runMessages } from "skillset/anthropic";
import { SkillContextProvider } from "skillset/compat";
import { evaluatePrompt, runChat, runResponses } from "skillset/openai";
import { openTelemetry } from "skillset/opentelemetry";
import { MarkdownSection, Prompt, PromptTemplate, SkillSection, SkillsSection } from "skillset/prompt";

/** What an adapter returned: the model's answer and the active skills, or what shows that it works without a model. */
type AdapterResult = readonly string[];

/** The first part of the result of an adapter that threw; the second one is the error's message. */
export const FAILED = "failed";

/** Uses each adapter once. `models` has a model that activates a skill and answers, and one that only answers. */
export async function runAdapters(skills: Skillset, models: string): Promise<Readonly<Record<string, AdapterResult>>> {
  const results: Record<string, AdapterResult> = {};
  for (const [name, run] of Object.entries(ADAPTERS))
    results[name] = await run(skills, `${models}/${name === "prompt" ? "plain" : "tools"}`).catch((error: Error) => [
      FAILED,
      error.message,
    ]);
  return results;
}

const HELLO = { role: "user", content: "Say hello." } as const;

const ADAPTERS: Readonly<Record<string, (skills: Skillset, url: string) => Promise<AdapterResult>>> = {
  "ai-sdk": async (skills, url) => {
    const model = createOpenAICompatible({ name: "scripted", baseURL: `${url}/v1` }).chatModel("scripted");
    const chat = await createChat({ skills, request: { model } });
    const { text } = await chat.send(HELLO.content);
    return [text, ...chat.session.active];
  },
  "openai (Responses)": async (skills, url) => {
    const session = await skills.session();
    const request = { model: "scripted", input: [HELLO] };
    const { text } = await runResponses({ client: openai(url), session, request, onEvent: () => {} });
    return [text, ...session.active];
  },
  "openai (Chat)": async (skills, url) => {
    const session = await skills.session();
    const request = { model: "scripted", messages: [HELLO] };
    const { text } = await runChat({ client: openai(url), session, request, onEvent: () => {} });
    return [text, ...session.active];
  },
  "openai-agents": async (skills, url) => {
    // Not every runtime can load this SDK.
    const [{ Agent, OpenAIProvider, Runner }, { withSkills }] = await Promise.all([
      import("@openai/agents"),
      import("skillset/openai-agents"),
    ]);
    const session = await skills.session();
    const request = { input: HELLO.content };
    const { input, callModelInputFilter, ...settings } = await withSkills({ session, request });
    const agent = new Agent({ name: "Scripted", model: "scripted", ...settings });
    const modelProvider = new OpenAIProvider({ openAIClient: openai(url), useResponses: true });
    const runner = new Runner({ modelProvider, tracingDisabled: true });
    const { finalOutput = "" } = await runner.run(agent, input, { callModelInputFilter });
    return [finalOutput, ...session.active];
  },
  anthropic: async (skills, url) => {
    const session = await skills.session();
    const client = new Anthropic({ apiKey: "any", baseURL: url, dangerouslyAllowBrowser: true });
    const request = { model: "scripted", max_tokens: 1_000, messages: [HELLO] };
    const { text } = await runMessages({ client, session, request, onEvent: () => {} });
    return [text, ...session.active];
  },
  prompt: async (_skills, url) => {
    const greet = new SkillSection({
      title: "Greet",
      name: "greet",
      description: "Greets people.",
      template: "Say 'ahoy' to $name.",
    });
    const task = new MarkdownSection({ title: "Task", key: "task", template: "Greet $name." });
    const sections = [task, new SkillsSection({ skills: [greet] })];
    const prompt = new Prompt(new PromptTemplate<{ name: string }>({ ns: "runtimes", key: "greet", sections }));
    const bound = prompt.bind({ name: "Ada" });
    const { text } = await evaluatePrompt({ client: openai(url), prompt: bound, request: { model: "scripted" } });
    return [String(text), bound.render({ open: ["skills.greet"] }).text];
  },
  opentelemetry: async (skills) => {
    // Without a provider, the API records nothing.
    const session = await skills.session({ telemetry: await openTelemetry() });
    return [(await session.activate("bake")).text, ...session.active];
  },
  compat: async (skills) => {
    const provider = new SkillContextProvider(await skills.session());
    return [provider.getTier1Context(), String(await provider.getTier2Context("greet"))];
  },
  adapter: async (skills) => createOperations(await skills.session()).map(({ name }) => name),
};

function openai(url: string): OpenAI {
  return new OpenAI({ apiKey: "any", baseURL: `${url}/v1`, dangerouslyAllowBrowser: true });
}
