import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startScriptedModel } from "@skillset/testing";
import { generateText, streamText } from "ai";
import { createSkillset, defineSkill } from "skillset";
import { describe, expect, test, vi } from "vitest";
import { createModels, type Models } from "./models.ts";

const { loaded, noted } = vi.hoisted(() => {
  const names: string[] = [];
  return { loaded: names, noted: <Module>(name: string, load: () => Module) => names.push(name) && load() };
});
vi.mock("@ai-sdk/openai", (original) => noted("openai", original));
vi.mock("@ai-sdk/anthropic", (original) => noted("anthropic", original));
vi.mock("@ai-sdk/google", (original) => noted("google", original));

const KEY = "sk-test-0123456789abcdef";
const skills = {
  current: await createSkillset([
    defineSkill({ name: "stamps", description: "Sorts old stamps.", body: "1. Sort them." }),
  ]),
};
const idsOf = ({ list }: Models) => list.map(({ id }) => id);
const OFFLINE = ["offline", "offline-no-tools"];

describe("the listed models", () => {
  test.each([
    ["nothing", {}, []],
    ["OpenAI", { OPENAI_API_KEY: KEY }, ["openai"]],
    ["Anthropic", { ANTHROPIC_API_KEY: KEY }, ["anthropic"]],
    ["Google", { GOOGLE_GENERATIVE_AI_API_KEY: KEY }, ["google"]],
    ["OpenAI and Google", { OPENAI_API_KEY: KEY, GOOGLE_GENERATIVE_AI_API_KEY: KEY }, ["openai", "google"]],
    [
      "all three",
      { ANTHROPIC_API_KEY: KEY, OPENAI_API_KEY: KEY, GOOGLE_GENERATIVE_AI_API_KEY: KEY },
      ["openai", "anthropic", "google"],
    ],
    ["an empty key", { OPENAI_API_KEY: " " }, []],
    ["a base URL alone", { OPENAI_BASE_URL: "http://127.0.0.1:1/v1" }, []],
    ["a base URL with a key", { OPENAI_BASE_URL: "http://127.0.0.1:1/v1", OPENAI_API_KEY: KEY }, ["openai"]],
    ["a base URL with models", { OPENAI_BASE_URL: "http://127.0.0.1:1/v1", OPENAI_MODELS: "a" }, ["openai-compatible"]],
    [
      "a base URL with models and a key, which is for that server",
      { OPENAI_BASE_URL: "http://127.0.0.1:1/v1", OPENAI_MODELS: "a, b,", OPENAI_API_KEY: KEY },
      ["openai-compatible"],
    ],
  ])("with %s in the environment", (_, environment, providers) => {
    const models = createModels({}, environment, skills);
    const real = idsOf(models).slice(0, -2);
    expect([...new Set(real.map((id) => id.split("/")[0]))]).toEqual(providers);
    expect(idsOf(models).slice(-2)).toEqual(OFFLINE);
    expect(models.defaultId).toBe(real[0] ?? "offline");
    expect(models.list.every(({ id, isOffline }) => isOffline === OFFLINE.includes(id))).toBe(true);
    expect(JSON.stringify(models)).not.toContain(KEY);
  });

  test("the settings can list a provider's models and add servers", () => {
    const models = createModels(
      {
        default: "home/llama",
        anthropic: [{ id: "claude-x", label: "Claude X" }],
        openaiCompatible: [
          {
            name: "home",
            baseUrl: "http://127.0.0.1:11434/v1",
            models: [{ id: "llama", label: "Llama", tools: false }],
          },
          { name: "away", baseUrl: "https://models.example/v1", apiKeyEnv: "AWAY_KEY", models: [{ id: "big" }] },
          { name: "locked", baseUrl: "https://models.example/v1", apiKeyEnv: "NO_KEY", models: [{ id: "big" }] },
        ],
      },
      { ANTHROPIC_API_KEY: KEY, AWAY_KEY: KEY },
      skills,
    );
    expect(models.list).toEqual([
      { id: "anthropic/claude-x", label: "Claude X", isOffline: false, hasTools: true },
      { id: "home/llama", label: "Llama", isOffline: false, hasTools: false },
      { id: "away/big", label: "big", isOffline: false, hasTools: true },
      { id: "offline", label: "Offline demo", isOffline: true, hasTools: true },
      { id: "offline-no-tools", label: "Offline demo without tools", isOffline: true, hasTools: false },
    ]);
    expect(models.defaultId).toBe("home/llama");
    expect(models.get("home/llama")?.info.label).toBe("Llama");
    expect(models.get("home/other")).toBeUndefined();
  });

  test("an unknown default model is an error that lists the available ones", () => {
    expect(() => createModels({ default: "openai/gpt" }, { ANTHROPIC_API_KEY: KEY }, skills)).toThrow(
      /^The default model 'openai\/gpt' is not available\. Available models: anthropic\/.+, offline, offline-no-tools\.$/,
    );
  });

  test("two servers with the same name are an error", () => {
    const server = { name: "home", baseUrl: "http://127.0.0.1:1/v1", models: [{ id: "a" }] };
    expect(() => createModels({ openaiCompatible: [server, server] }, {}, skills)).toThrow(
      "Two models have the id 'home/a'",
    );
  });

  test.each(["not a url", "file:///etc", "http://user:secret@host/v1", "http://host/v1?key=secret"])(
    "the base URL '%s' is refused without being shown",
    (baseUrl) => {
      const start = () => createModels({ openaiCompatible: [{ name: "home", baseUrl, models: [] }] }, {}, skills);
      expect(start).toThrow("The base URL of the model server 'home'");
      expect(start).not.toThrow("secret");
    },
  );

  test("a key that HTTP would refuse is refused without being shown", () => {
    const start = () => createModels({}, { OPENAI_API_KEY: "sk-one\nsk-two" }, skills);
    expect(start).toThrow("OPENAI_API_KEY is not a valid API key");
    expect(start).not.toThrow("sk-one");
  });
});

describe("using them", () => {
  const modelOf = (models: Models, id: string) => models.get(id)?.model ?? expect.unreachable();

  /** Requests without tools use the script too. */
  const ALL = { isSide: () => false };

  test("the offline models answer at once, with skills and without", async () => {
    const { text } = await generateText({
      model: modelOf(createModels({}, {}, skills), "offline-no-tools"),
      prompt: "hi",
    });
    expect(text).toContain("- `/stamps` Sorts old stamps.");
    const { text: alone } = await generateText({
      model: modelOf(createModels({}, {}, undefined), "offline"),
      prompt: "hi",
    });
    expect(alone).not.toContain("/stamps");
  });

  test("the offline models see skills that are added later", async () => {
    const changing = { current: await createSkillset([]) };
    const model = modelOf(createModels({}, {}, changing), "offline");
    changing.current = skills.current;
    expect((await generateText({ model, prompt: "hi" })).text).toContain("`/stamps`");
  });

  test("a model of an OpenAI-compatible server streams its answer", async () => {
    await using server = await startScriptedModel([{ say: "A heron." }], ALL);
    const config = {
      openaiCompatible: [
        {
          name: "local",
          baseUrl: `${server.url}/v1`,
          apiKeyEnv: "LOCAL_KEY",
          models: [{ id: "qwen3:8b", tools: true }],
        },
      ],
    };
    const models = createModels(config, { LOCAL_KEY: KEY }, skills);
    expect(models.defaultId).toBe("local/qwen3:8b");
    const result = streamText({ model: modelOf(models, "local/qwen3:8b"), prompt: "Which bird?" });
    expect(await result.text).toBe("A heron.");
    expect((await result.usage).totalTokens).toBeGreaterThan(0);
    expect(server.requests).toHaveLength(1);
    expect(server.faults).toEqual([]);
  });

  test("the server from the environment is used", async () => {
    await using server = await startScriptedModel([{ say: "An ibis." }], ALL);
    const models = createModels({}, { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_MODELS: "m" }, skills);
    expect((await generateText({ model: modelOf(models, models.defaultId), prompt: "Which?" })).text).toBe("An ibis.");
  });

  test.each(["generateText", "streamText"])("%s does not repeat a key that the server echoes", async (kind) => {
    await using server = await startEcho();
    const config = {
      openaiCompatible: [{ name: "local", baseUrl: server.url, apiKeyEnv: "LOCAL_KEY", models: [{ id: "m" }] }],
    };
    const model = modelOf(createModels(config, { LOCAL_KEY: KEY }, skills), "local/m");
    const errors: unknown[] = [];
    if (kind === "generateText") await generateText({ model, prompt: "Which?" }).catch((error) => errors.push(error));
    else await streamText({ model, prompt: "Which?", onError: ({ error }) => void errors.push(error) }).consumeStream();
    const [error] = errors as [Error & Record<string, unknown>];
    expect(error.message).toBe("Bearer … is wrong.");
    const fields = Object.getOwnPropertyNames(error).map((field) => String(JSON.stringify(error[field])));
    expect(fields.join("\n")).toContain("Bearer …");
    expect(fields.join("\n")).not.toContain(KEY);
  });

  test("a provider's package is loaded when one of its models is first used", async () => {
    const models = createModels(
      {},
      { ANTHROPIC_API_KEY: KEY, GOOGLE_GENERATIVE_AI_API_KEY: KEY, OPENAI_API_KEY: KEY },
      skills,
    );
    const first = models.list.map(({ id }) => models.get(id)?.model);
    expect(loaded).toEqual([]);
    const real = first.filter((model) => typeof model === "object" && model.provider !== "offline");
    for (const model of real) await (model as { supportedUrls: unknown }).supportedUrls;
    expect(loaded).toEqual(["openai", "anthropic", "google"]);
  });
});

/** Refuses every request and echoes its authorization. */
async function startEcho(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(({ headers }, response) => {
    const error = { message: `${headers.authorization} is wrong.` };
    response.writeHead(401, { "content-type": "application/json" }).end(JSON.stringify({ error }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
