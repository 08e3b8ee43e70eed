import type { LanguageModel } from "ai";
import type { Skillset } from "skillset";
import type { ModelInfo } from "../../shared/api.ts";
import { createOfflineModel, type OfflineModelOptions } from "./offline/offline-model.ts";

/** What the settings say about models. */
export interface ModelsConfig {
  /** The id of the model that new chats get. */
  readonly default?: string;
  /** Models of a provider, instead of the usual ones; they are on offer when its key is in the environment. */
  readonly openai?: readonly ModelSetting[];
  readonly anthropic?: readonly ModelSetting[];
  readonly google?: readonly ModelSetting[];
  readonly openaiCompatible?: readonly CompatibleServer[];
}

export interface ModelSetting {
  /** What the provider calls it. */
  readonly id: string;
  readonly label?: string;
  readonly tools?: boolean;
}

/** A server that speaks OpenAI's Chat Completions, such as Ollama or vLLM. */
export interface CompatibleServer {
  /** What its models' ids start with. */
  readonly name: string;
  readonly baseUrl: string;
  /** The variable that holds the key; without it in the environment, the models are not on offer. */
  readonly apiKeyEnv?: string;
  readonly models: readonly ModelSetting[];
}

export interface Models {
  /** The real ones first. */
  readonly list: readonly ModelInfo[];
  readonly defaultId: string;
  get(id: string): ModelEntry | undefined;
}

export interface ModelEntry {
  readonly model: LanguageModel;
  readonly info: ModelInfo;
}

type Environment = Readonly<Record<string, string | undefined>>;
/** Always asked anew, because skills come and go. */
type CurrentSkills = { readonly current: Pick<Skillset, "rank" | "skills"> };

/** The settings name a model for new chats that there is not. */
export class DefaultModelError extends Error {
  override readonly name = "DefaultModelError";
}

/** The models on offer: those that there are keys or servers for, and the two that need neither. */
export function createModels(
  config: ModelsConfig,
  environment: Environment,
  skills: CurrentSkills | undefined,
): Models {
  const entries = new Map<string, ModelEntry>();
  for (const entry of [...realModels(config, environment), ...offlineModels(skills)]) {
    const { id } = entry.info;
    if (entries.has(id)) throw new Error(`Two models have the id '${id}'. Give the servers different names.`);
    entries.set(id, entry);
  }
  const ids = [...entries.keys()];
  const defaultId = config.default ?? ids[0] ?? OFFLINE;
  if (!entries.has(defaultId))
    throw new DefaultModelError(`The default model '${defaultId}' is not on offer. These are: ${ids.join(", ")}.`);
  return { list: Array.from(entries.values(), ({ info }) => info), defaultId, get: (id) => entries.get(id) };
}

const OFFLINE = "offline";

function offlineModels(skills: CurrentSkills | undefined): readonly ModelEntry[] {
  const options: OfflineModelOptions = {
    rank: async (query) => {
      const hits = (await skills?.current.rank(query)) ?? [];
      return hits.map(({ skill: { name, description }, score }) => ({ name, description, score }));
    },
    listSkills: () => skills?.current.skills.filter(({ userInvocable }) => userInvocable) ?? [],
  };
  return [
    {
      model: createOfflineModel(options),
      info: { id: OFFLINE, label: "Offline demo", isOffline: true, hasTools: true },
    },
    {
      model: createOfflineModel({ ...options, tools: false }),
      info: { id: "offline-no-tools", label: "Offline demo without tools", isOffline: true, hasTools: false },
    },
  ];
}

const USUAL_MODELS = {
  openai: ["gpt-6-astra", "gpt-6-luna"],
  anthropic: ["claude-sonnet-5-5", "claude-opus-5-5", "claude-haiku-5-5"],
  google: ["gemini-4-argon", "gemini-3.8-flash"],
} as const;

function realModels(config: ModelsConfig, environment: Environment): readonly ModelEntry[] {
  const { openaiCompatible = [] } = config;
  const settingsOf = (provider: keyof typeof USUAL_MODELS): readonly ModelSetting[] =>
    config[provider] ?? USUAL_MODELS[provider].map((id) => ({ id }));
  const own = serverOf(environment);
  const openaiKey = keyIn(environment, "OPENAI_API_KEY");
  const anthropicKey = keyIn(environment, "ANTHROPIC_API_KEY");
  const googleKey = keyIn(environment, "GOOGLE_GENERATIVE_AI_API_KEY");
  const baseURL = environment.OPENAI_BASE_URL?.trim();
  return [
    // With models of its own at OPENAI_BASE_URL, the key is for that server.
    ...(openaiKey === undefined || own !== undefined ? [] : settingsOf("openai")).map((setting) =>
      entryOf("openai", setting, openaiKey, async () => {
        const { createOpenAI } = await import("@ai-sdk/openai");
        return createOpenAI({ apiKey: openaiKey ?? "", ...(baseURL && { baseURL }) })(setting.id);
      }),
    ),
    ...(anthropicKey === undefined ? [] : settingsOf("anthropic")).map((setting) =>
      entryOf("anthropic", setting, anthropicKey, async () => {
        const { createAnthropic } = await import("@ai-sdk/anthropic");
        return createAnthropic({ apiKey: anthropicKey ?? "" })(setting.id);
      }),
    ),
    ...(googleKey === undefined ? [] : settingsOf("google")).map((setting) =>
      entryOf("google", setting, googleKey, async () => {
        const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
        return createGoogleGenerativeAI({ apiKey: googleKey ?? "" })(setting.id);
      }),
    ),
    ...[...openaiCompatible, ...(own === undefined ? [] : [own])].flatMap((server) => modelsOf(server, environment)),
  ];
}

/** The server that the environment names, as other programs take it from there. */
function serverOf(environment: Environment): CompatibleServer | undefined {
  const baseUrl = environment.OPENAI_BASE_URL?.trim();
  const ids = environment.OPENAI_MODELS?.split(",").flatMap((id) => id.trim() || []) ?? [];
  if (!baseUrl || ids.length === 0) return undefined;
  const apiKeyEnv = keyIn(environment, "OPENAI_API_KEY") === undefined ? {} : { apiKeyEnv: "OPENAI_API_KEY" };
  return { name: "openai-compatible", baseUrl, ...apiKeyEnv, models: ids.map((id) => ({ id })) };
}

function modelsOf({ name, baseUrl, apiKeyEnv, models }: CompatibleServer, environment: Environment): ModelEntry[] {
  checkUrl(name, baseUrl);
  const apiKey = apiKeyEnv === undefined ? undefined : keyIn(environment, apiKeyEnv);
  if (apiKeyEnv !== undefined && apiKey === undefined) return [];
  return models.map((setting) =>
    entryOf(name, setting, apiKey, async () => {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const server = createOpenAICompatible({ name, baseURL: baseUrl, includeUsage: true, ...(apiKey && { apiKey }) });
      return server.chatModel(setting.id);
    }),
  );
}

/** An address is shown in errors, so it must not hold a password. */
function checkUrl(name: string, baseUrl: string): void {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new Error(`The base URL of the model server '${name}' must start with http:// or https://.`);
  if (url.username !== "" || url.password !== "" || url.search !== "")
    throw new Error(
      `The base URL of the model server '${name}' has a password or a query; name a variable in api_key_env.`,
    );
}

/** A key from the environment; HTTP would refuse one with other characters, and show it in the error. */
function keyIn(environment: Environment, variable: string): string | undefined {
  const key = environment[variable]?.trim();
  if (!key) return undefined;
  if (!/^[\x21-\x7e]+$/.test(key)) throw new Error(`${variable} has characters that no key has, such as a space.`);
  return key;
}

type ProviderModel = Extract<LanguageModel, { specificationVersion: "v4" }>;

function entryOf(
  provider: string,
  { id, label = id, tools = true }: ModelSetting,
  key: string | undefined,
  load: () => Promise<ProviderModel>,
): ModelEntry {
  const info = { id: `${provider}/${id}`, label, isOffline: false, hasTools: tools };
  return { info, model: lazyModel(provider, id, key, load) };
}

/** Loads the provider when the model is first used, and keeps the key out of what it says. */
function lazyModel(
  provider: string,
  modelId: string,
  key: string | undefined,
  load: () => Promise<ProviderModel>,
): ProviderModel {
  let loading: Promise<ProviderModel> | undefined;
  const loaded = async <Result>(use: (model: ProviderModel) => PromiseLike<Result>): Promise<Result> => {
    loading ??= load();
    try {
      return await use(await loading);
    } catch (error) {
      throw withoutKey(error, key);
    }
  };
  return {
    specificationVersion: "v4",
    provider,
    modelId,
    get supportedUrls() {
      return loaded(async (model) => model.supportedUrls);
    },
    doGenerate: (options) => loaded((model) => model.doGenerate(options)),
    doStream: (options) =>
      loaded(async (model) => {
        const result = await model.doStream(options);
        return { ...result, stream: result.stream.pipeThrough(withoutKeyInErrors(key)) };
      }),
  };
}

type StreamPart =
  Awaited<ReturnType<ProviderModel["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;

function withoutKeyInErrors(key: string | undefined): TransformStream<StreamPart, StreamPart> {
  return new TransformStream({
    transform: (part, controller) =>
      controller.enqueue(part.type === "error" ? { ...part, error: withoutKey(part.error, key) } : part),
  });
}

/** The same error; servers repeat what they were sent, and logs would keep it. */
function withoutKey(error: unknown, key: string | undefined, depth = 0): unknown {
  if (key === undefined || key.length < 4 || depth > 4) return error;
  if (typeof error === "string") return error.replaceAll(key, "…");
  if (typeof error !== "object" || error === null) return error;
  for (const field of Object.getOwnPropertyNames(error)) {
    const { value, writable } = Object.getOwnPropertyDescriptor(error, field) ?? {};
    const clean = withoutKey(value, key, depth + 1);
    if (writable && clean !== value) Reflect.set(error, field, clean);
  }
  return error;
}
