import type { Environment } from "../config/config.ts";
import type { CompatibleServer, ModelSetting, ModelsConfig } from "../config/models-config.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { lazyModel, type ProviderModel } from "./lazy-model.ts";
import type { ModelEntry } from "./model-entry.ts";

const DEFAULT_MODELS = {
  openai: ["gpt-6-astra", "gpt-6-luna"],
  anthropic: ["claude-sonnet-5-5", "claude-opus-5-5", "claude-haiku-5-5"],
  google: ["gemini-4-argon", "gemini-3.8-flash"],
} as const;

/** Models of providers whose API key is set, and models of the servers in the settings. */
export function providerModels(config: ModelsConfig, environment: Environment): readonly ModelEntry[] {
  const { openaiCompatible = [] } = config;
  const settingsOf = (provider: keyof typeof DEFAULT_MODELS): readonly ModelSetting[] =>
    config[provider] ?? DEFAULT_MODELS[provider].map((id) => ({ id }));
  const own = serverOf(environment);
  const openaiKey = keyIn(environment, "OPENAI_API_KEY");
  const anthropicKey = keyIn(environment, "ANTHROPIC_API_KEY");
  const googleKey = keyIn(environment, "GOOGLE_GENERATIVE_AI_API_KEY");
  const baseURL = environment.OPENAI_BASE_URL?.trim();
  return [
    // If OPENAI_MODELS lists models at OPENAI_BASE_URL, the key is for that server.
    ...(openaiKey === undefined || own !== undefined ? [] : settingsOf("openai")).map((setting) =>
      entryOf("openai", setting, openaiKey, async () => {
        const { createOpenAI } = await import("@ai-sdk/openai");
        return createOpenAI({ apiKey: openaiKey ?? "", baseURL: baseURL || undefined, fetch: boundedFetch })(
          setting.id,
        );
      }),
    ),
    ...(anthropicKey === undefined ? [] : settingsOf("anthropic")).map((setting) =>
      entryOf("anthropic", setting, anthropicKey, async () => {
        const { createAnthropic } = await import("@ai-sdk/anthropic");
        return createAnthropic({ apiKey: anthropicKey ?? "", fetch: boundedFetch })(setting.id);
      }),
    ),
    ...(googleKey === undefined ? [] : settingsOf("google")).map((setting) =>
      entryOf("google", setting, googleKey, async () => {
        const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
        return createGoogleGenerativeAI({ apiKey: googleKey ?? "", fetch: boundedFetch })(setting.id);
      }),
    ),
    ...[...openaiCompatible, ...(own === undefined ? [] : [own])].flatMap((server) => modelsOf(server, environment)),
  ];
}

/** The OpenAI-compatible server from the standard environment variables. */
function serverOf(environment: Environment): CompatibleServer | undefined {
  const baseUrl = environment.OPENAI_BASE_URL?.trim();
  const ids = environment.OPENAI_MODELS?.split(",").flatMap((id) => id.trim() || []) ?? [];
  if (!baseUrl || ids.length === 0) return undefined;
  const apiKeyEnv = keyIn(environment, "OPENAI_API_KEY") === undefined ? undefined : "OPENAI_API_KEY";
  return { name: "openai-compatible", baseUrl, apiKeyEnv, models: ids.map((id) => ({ id })) };
}

function modelsOf({ name, baseUrl, apiKeyEnv, models }: CompatibleServer, environment: Environment): ModelEntry[] {
  checkUrl(name, baseUrl);
  const apiKey = apiKeyEnv === undefined ? undefined : keyIn(environment, apiKeyEnv);
  if (apiKeyEnv !== undefined && apiKey === undefined) return [];
  return models.map((setting) =>
    entryOf(name, setting, apiKey, async () => {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const server = createOpenAICompatible({
        name,
        baseURL: baseUrl,
        includeUsage: true,
        apiKey,
        fetch: boundedFetch,
      });
      return server.chatModel(setting.id);
    }),
  );
}

/** Errors show the base URL, so it must not contain a password. */
function checkUrl(name: string, baseUrl: string): void {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new Error(`The base URL of the model server '${name}' must start with http:// or https://.`);
  if (url.username !== "" || url.password !== "" || url.search !== "")
    throw new Error(
      `The base URL of the model server '${name}' must not contain a password or a query. Name an environment variable in api_key_env instead.`,
    );
}

/** Reads an API key. HTTP would refuse a key with other characters and show it in the error. */
function keyIn(environment: Environment, variable: string): string | undefined {
  const key = environment[variable]?.trim();
  if (!key) return undefined;
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new Error(`${variable} is not a valid API key: it contains a space or another invalid character.`);
  return key;
}

function entryOf(
  provider: string,
  { id, label = id, tools = true, vision, pdf, maxPromptTokens, price }: ModelSetting,
  key: string | undefined,
  load: () => Promise<ProviderModel>,
): ModelEntry {
  // Most models that people run themselves read only text, and their servers refuse a request with an image.
  const isKnown = provider in DEFAULT_MODELS;
  const info = { id: `${provider}/${id}`, label, isOffline: false, hasTools: tools };
  return {
    info,
    maxPromptTokens,
    price,
    reads: { images: vision ?? isKnown, pdf: pdf ?? isKnown },
    model: lazyModel({ provider, modelId: id, key, load }),
  };
}
