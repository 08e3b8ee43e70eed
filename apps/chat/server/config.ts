import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { LIMITS } from "skillset";
import { DEFAULT_FOLDERS } from "skillset/node";
import { parse, TomlError } from "smol-toml";
import { ConfigTable } from "./config/config-table.ts";
import { type KeyPath, placeIn } from "./config/line-of.ts";
import { projectRootOf } from "./config/project-root.ts";
import type { ModelSetting, ModelsConfig } from "./models.ts";
import { StartError } from "./start-error.ts";

export interface Config {
  readonly file: string;
  /** Where a setting stands: the file, and the line when it is there. */
  readonly placeOf: (setting: KeyPath) => string;
  /** Where relative paths start. */
  readonly projectRoot: string;
  /** What was left alone, such as keys that mean nothing here. */
  readonly warnings: readonly string[];
  readonly server: ServerConfig;
  readonly limits: LimitsConfig;
  readonly database: DatabaseConfig;
  readonly models: ModelsConfig & { readonly timeoutSeconds: number; readonly maxSteps: number };
  readonly admin: { readonly tokenEnv: string };
  /** Null when skills are off. */
  readonly skills: SkillsConfig | null;
}

export interface ServerConfig {
  /** 0 picks a free one. */
  readonly port: number;
  readonly host: string;
  readonly allowedHosts: readonly string[];
  /** Addresses and networks whose word on who called them is taken. */
  readonly trustedProxies: readonly string[];
}

export interface LimitsConfig {
  readonly requestsPerMinute: number;
  readonly answersPerMinute: number;
  readonly answersAtOnce: number;
  readonly answersPerClient: number;
  readonly requestsPerClient: number;
  readonly pagesPerClient: number;
}

export interface DatabaseConfig {
  readonly url?: string;
  /** Absolute. */
  readonly folder: string;
}

export interface SkillsConfig {
  readonly directories: readonly string[];
  /** Which deviations from the standard keep a skill out. */
  readonly policy: "standard" | "lenient";
  /** How many levels of folders below each directory are searched. */
  readonly scanDepth: number;
  readonly maxSkills: number;
  /** The catalog is shortened to so many tokens. */
  readonly maxCatalogTokens: number;
  readonly maxSkillMdBytes: number;
  readonly maxResourceBytes: number;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads a settings file; throws a `StartError` that says everything that is wrong, one line each, and where. */
export function readConfig(file: string, environment: Environment = {}): Config {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new StartError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown reason"}).`);
  }
  return parseConfig(text, file, environment);
}

export function parseConfig(text: string, file: string, environment: Environment = {}): Config {
  const document = { file, text, mistakes: [] as string[], warnings: [] as string[] };
  const root = new ConfigTable(parseToml(text, file), [], document);
  const projectRoot = projectRootOf(file);
  const config = {
    file,
    placeOf: (setting: KeyPath) => placeIn(document, setting),
    projectRoot,
    server: serverConfig(root.table("server"), environment, document.mistakes),
    limits: limitsConfig(root.table("limits")),
    database: databaseConfig(root.table("database"), environment, projectRoot),
    models: modelsConfig(root.table("models")),
    admin: { tokenEnv: root.table("admin").text("token_env", "ADMIN_TOKEN") },
    skills: skillsConfig(root.table("app").optionalTable("skills")),
    warnings: document.warnings,
  };
  root.warnOfUnknownKeys();
  // A setting may be wrong because it is misspelt.
  if (document.mistakes.length > 0) throw new StartError([...document.mistakes, ...document.warnings].join("\n"));
  return config;
}

function parseToml(text: string, file: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [what = ""] = error.message.replace(/^Invalid TOML document: /, "").split("\n");
    throw new StartError(`${file}:${error.line}:${error.column}: this is not TOML: ${what}.`);
  }
}

function serverConfig(table: ConfigTable, { PORT }: Environment, mistakes: string[]): ServerConfig {
  const port = table.integer("port", 4173, { min: 0, max: 65_535 });
  if (PORT && !isPort(PORT))
    mistakes.push(`PORT in the environment must be a whole number from 0 to 65535, not '${PORT}'.`);
  return {
    port: PORT ? Number(PORT) : port,
    host: table.text("host", "127.0.0.1"),
    allowedHosts: table.texts("allowed_hosts", []),
    trustedProxies: table.networks("trusted_proxies"),
  };
}

function limitsConfig(table: ConfigTable): LimitsConfig {
  return {
    requestsPerMinute: table.integer("requests_per_minute", 6_000, { min: 1, max: 10_000_000 }),
    answersPerMinute: table.integer("answers_per_minute", 600, { min: 1, max: 1_000_000 }),
    answersAtOnce: table.integer("answers_at_once", 500, { min: 1, max: 100_000 }),
    answersPerClient: table.integer("answers_per_client", 50, { min: 1, max: 100_000 }),
    requestsPerClient: table.integer("requests_per_client", 64, { min: 1, max: 100_000 }),
    pagesPerClient: table.integer("pages_per_client", 100, { min: 1, max: 100_000 }),
  };
}

function isPort(value: string): boolean {
  return /^\d+$/.test(value) && Number(value) <= 65_535;
}

function databaseConfig(table: ConfigTable, environment: Environment, projectRoot: string): DatabaseConfig {
  const { DATABASE_URL, DATA_DIR } = environment;
  const stored = { url: table.optionalText("url"), folder: table.text("folder", ".skillset/chat") };
  const url = DATABASE_URL || stored.url;
  return { folder: resolve(projectRoot, DATA_DIR || stored.folder), ...(url && { url }) };
}

function modelsConfig(table: ConfigTable): Config["models"] {
  const chosen = table.optionalText("default");
  const [openai, anthropic, google] = PROVIDERS.map((provider) => modelSettings(table, provider));
  return {
    ...(chosen !== undefined && { default: chosen }),
    ...(openai && { openai }),
    ...(anthropic && { anthropic }),
    ...(google && { google }),
    timeoutSeconds: table.integer("timeout_seconds", 600, { min: 1, max: 86_400 }),
    maxSteps: table.integer("max_steps", 20, { min: 1, max: 1_000 }),
    openaiCompatible: table.tables("openai_compatible").map((server) => {
      const apiKeyEnv = server.optionalText("api_key_env");
      return {
        name: server.requiredText("name"),
        baseUrl: server.requiredUrl("base_url"),
        ...(apiKeyEnv !== undefined && { apiKeyEnv }),
        models: modelSettings(server, "models") ?? [],
      };
    }),
  };
}

const PROVIDERS = ["openai", "anthropic", "google"] as const;

function modelSettings(table: ConfigTable, key: string): readonly ModelSetting[] | undefined {
  if (!table.has(key)) return undefined;
  return table.tables(key).map((model) => {
    const label = model.optionalText("label");
    const tools = model.boolean("tools", true);
    return { id: model.requiredText("id"), ...(label !== undefined && { label }), tools };
  });
}

/** Limits may be lower than the library's own hard ones, never higher. */
function skillsConfig(table: ConfigTable | undefined): SkillsConfig | null {
  if (table === undefined) return null;
  const isEnabled = table.boolean("enabled", false);
  const config = {
    directories: table.texts("directories", DEFAULT_FOLDERS),
    policy: table.choice("policy", ["standard", "lenient"]),
    scanDepth: table.integer("scan_depth", 1, { min: 1, max: LIMITS.hard.scanDepth }),
    maxSkills: table.integer("max_skills", 200, { min: 1, max: 10_000 }),
    maxCatalogTokens: table.integer("max_catalog_tokens", 20_000, { min: 100, max: 1_000_000 }),
    maxSkillMdBytes: table.integer("max_skill_md_bytes", 200_000, { min: 1_000, max: 1_048_576 }),
    maxResourceBytes: table.integer("max_resource_bytes", 2_000_000, { min: 1_000, max: 16_777_216 }),
  };
  return isEnabled ? config : null;
}
