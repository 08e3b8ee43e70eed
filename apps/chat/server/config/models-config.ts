import type { ConfigTable } from "./config-table.ts";

/** The model settings. */
export interface ModelsConfig {
  /** The id of the model for new chats. */
  readonly default?: string;
  /** Replaces a provider's default models. They are listed when its API key is in the environment. */
  readonly openai?: readonly ModelSetting[];
  readonly anthropic?: readonly ModelSetting[];
  readonly google?: readonly ModelSetting[];
  readonly openaiCompatible?: readonly CompatibleServer[];
}

export interface ModelSetting {
  /** The provider's id for the model. */
  readonly id: string;
  readonly label?: string;
  readonly tools?: boolean;
  /** Whether it reads images. By default the models of providers do, and those of other servers do not. */
  readonly vision?: boolean | undefined;
  /** Whether it reads PDF files, with the same defaults. */
  readonly pdf?: boolean | undefined;
  /** Replaces `max_prompt_tokens` of all models. */
  readonly maxPromptTokens?: number | undefined;
  readonly price?: ModelPrice | undefined;
}

/** US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** For input that the provider reads from its cache; the same as other input if it is not set. */
  readonly cached?: number | undefined;
}

/** A server with an OpenAI-compatible Chat Completions API, such as Ollama or vLLM. */
export interface CompatibleServer {
  /** The prefix of its model ids. */
  readonly name: string;
  readonly baseUrl: string;
  /** The environment variable with the API key. If it is not set, the models are not listed. */
  readonly apiKeyEnv?: string;
  readonly models: readonly ModelSetting[];
}

/** Limits for one answer. */
export interface AnswerConfig {
  readonly timeoutSeconds: number;
  /** How long a model may send nothing. */
  readonly idleSeconds: number;
  readonly maxSteps: number;
  /** The size of a request above which earlier messages are left out. */
  readonly maxPromptTokens: number;
}

/** Who writes the titles of chats: the model after its first answer, or nobody: they are the first words. */
export interface TitlesConfig {
  readonly titles: "model" | "words";
}

export function modelsConfig(table: ConfigTable): ModelsConfig & AnswerConfig & TitlesConfig {
  return {
    titles: table.choice<TitlesConfig["titles"]>("titles", { model: true, words: true }),
    default: table.optionalText("default"),
    openai: modelSettings(table, "openai"),
    anthropic: modelSettings(table, "anthropic"),
    google: modelSettings(table, "google"),
    timeoutSeconds: table.integer("timeout_seconds", 600, { min: 1, max: 86_400 }),
    idleSeconds: table.integer("idle_seconds", 120, { min: 1, max: 86_400 }),
    maxSteps: table.integer("max_steps", 20, { min: 1, max: 1_000 }),
    maxPromptTokens: table.integer("max_prompt_tokens", 100_000, PROMPT_TOKENS),
    openaiCompatible: table.tables("openai_compatible").map((server) => ({
      name: server.requiredText("name"),
      baseUrl: server.requiredUrl("base_url"),
      apiKeyEnv: server.optionalText("api_key_env"),
      models: modelSettings(server, "models") ?? [],
    })),
  };
}

const PROMPT_TOKENS = { min: 1_000, max: 100_000_000 };

function modelSettings(table: ConfigTable, key: string): readonly ModelSetting[] | undefined {
  if (!table.has(key)) return undefined;
  return table.tables(key).map((model) => ({
    id: model.requiredText("id"),
    label: model.optionalText("label"),
    tools: model.boolean("tools", true),
    vision: model.has("vision") ? model.boolean("vision", false) : undefined,
    pdf: model.has("pdf") ? model.boolean("pdf", false) : undefined,
    maxPromptTokens: model.has("max_prompt_tokens")
      ? model.integer("max_prompt_tokens", PROMPT_TOKENS.max, PROMPT_TOKENS)
      : undefined,
    price: priceOf(model.optionalTable("price")),
  }));
}

function priceOf(table: ConfigTable | undefined): ModelPrice | undefined {
  if (table === undefined) return undefined;
  return {
    input: table.requiredNumber("input", DOLLARS),
    output: table.requiredNumber("output", DOLLARS),
    cached: table.has("cached") ? table.requiredNumber("cached", DOLLARS) : undefined,
  };
}

const DOLLARS = { min: 0, max: 100_000 };
