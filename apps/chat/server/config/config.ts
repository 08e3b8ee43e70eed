import { resolve } from "node:path";
import { LIMITS } from "skillset";
import { RUNNER_NAMES } from "skillset/scripts";
import type { SkillPolicies } from "../../shared/skills-api.ts";
import { ConfigTable } from "./config-table.ts";
import { modelsConfig } from "./models-config.ts";
import { projectRootOf } from "./project-root.ts";
import { type KeyPath, placeIn } from "./setting-place.ts";
import { parseToml, readSettings } from "./settings.ts";
import { StartError } from "./start-error.ts";

export type Config = Readonly<ReturnType<typeof parseConfig>>;
export type ServerConfig = Readonly<ReturnType<typeof serverConfig>>;
export type LimitsConfig = Readonly<ReturnType<typeof limitsConfig>>;
export type DatabaseConfig = Readonly<ReturnType<typeof databaseConfig>>;
export type AttachmentsConfig = Readonly<NonNullable<ReturnType<typeof attachmentsConfig>>>;
export type SkillsConfig = Readonly<NonNullable<ReturnType<typeof skillsConfig>>>;

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads a settings file. Throws a `StartError` that lists every mistake with its line. */
export function readConfig(file: string, environment: Environment = {}): Config {
  return parseConfig(readSettings(file).text, file, environment);
}

/** What the command line sets. */
export interface Overrides {
  /** The base of relative paths. By default the project of the settings file. */
  readonly root?: string | undefined;
  readonly host?: string | undefined;
}

/** Declares each setting where it is read: its name, type, default and range. */
export function parseConfig(text: string, file: string, environment: Environment = {}, overrides: Overrides = {}) {
  const document = { file, text, mistakes: [] as string[], warnings: [] as string[] };
  const root = new ConfigTable(parseToml({ text, file }), [], document);
  const projectRoot = overrides.root ?? projectRootOf(file);
  const config = {
    file,
    /** The file of a setting, with the line if the setting is in the file. */
    placeOf: (setting: KeyPath) => placeIn(document, setting),
    /** Relative paths are resolved from here. */
    projectRoot,
    server: serverConfig(root.table("server"), environment, document.mistakes, overrides),
    limits: limitsConfig(root.table("limits")),
    database: databaseConfig(root.table("database"), environment, projectRoot),
    models: modelsConfig(root.table("models")),
    admin: { tokenEnv: root.table("admin").text("token_env", "ADMIN_TOKEN") },
    ...appConfig(root.table("app")),
    /** Warnings about ignored settings, such as unknown keys. */
    warnings: document.warnings as readonly string[],
  };
  root.warnOfUnknownKeys();
  // Warnings are included, because a misspelled key may be the cause of an error.
  if (document.mistakes.length > 0) throw new StartError([...document.mistakes, ...document.warnings].join("\n"));
  return config;
}

function serverConfig(table: ConfigTable, { PORT }: Environment, mistakes: string[], overrides: Overrides) {
  const host = table.text("host", "127.0.0.1");
  const port = table.integer("port", 4173, { min: 0, max: 65_535 });
  if (PORT && !isPort(PORT))
    mistakes.push(`PORT in the environment must be an integer from 0 to 65535, not '${PORT}'.`);
  return {
    /** 0 picks a free port. */
    port: PORT ? Number(PORT) : port,
    host: overrides.host ?? host,
    allowedHosts: table.texts("allowed_hosts", []),
    /** Addresses and networks whose `X-Forwarded-For` is trusted. */
    trustedProxies: table.networks("trusted_proxies"),
  };
}

function limitsConfig(table: ConfigTable) {
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

function databaseConfig(table: ConfigTable, environment: Environment, projectRoot: string) {
  const { DATABASE_URL, DATA_DIR } = environment;
  const stored = { url: table.optionalText("url"), folder: table.text("folder", ".skillset/chat") };
  return {
    /** How long deleted chats stay in the bin. 0 deletes them at once. */
    binDays: table.integer("bin_days", 30, { min: 0, max: 3_650 }),
    url: DATABASE_URL || stored.url,
    /** Absolute path. */
    folder: resolve(projectRoot, DATA_DIR || stored.folder),
  };
}

function appConfig(table: ConfigTable) {
  return {
    /** Null when skills are disabled. */
    skills: skillsConfig(table.optionalTable("skills")),
    /** Null when attachments are disabled. */
    attachments: attachmentsConfig(table.table("attachments")),
  };
}

function attachmentsConfig(table: ConfigTable) {
  const isEnabled = table.boolean("enabled", true);
  const config = {
    /** In one message. */
    maxFiles: table.integer("max_files", 10, { min: 1, max: 100 }),
    maxBytes: table.integer("max_mb", 20, { min: 1, max: 200 }) * MEGABYTE,
    /** All files of all chats. */
    totalBytes: table.integer("total_mb", 2_000, { min: 1, max: 1_000_000 }) * MEGABYTE,
  };
  return isEnabled ? config : null;
}

const MEGABYTE = 1024 * 1024;

/** Limits cannot exceed the library's hard limits. */
function skillsConfig(table: ConfigTable | undefined) {
  if (table === undefined) return null;
  const isEnabled = table.boolean("enabled", false);
  const config = {
    /** Trusted. Without any, the folders in which agents keep skills, where those of the project need trust. */
    directories: table.texts("directories", []),
    /** Whether the folders of agents at and above the folder of the start are scanned too. */
    parentFolders: table.boolean("parent_folders", false),
    /** Whether skills that deviate from the standard are refused. */
    policy: table.choice("policy", { standard: true, lenient: true }),
    /** How many folder levels below each directory are scanned. */
    scanDepth: table.integer("scan_depth", 1, { min: 1, max: LIMITS.hard.scanDepth }),
    maxSkills: table.integer("max_skills", 200, { min: 1, max: 10_000 }),
    /** The token budget of the catalog. */
    maxCatalogTokens: table.integer("max_catalog_tokens", 8_000, { min: 100, max: 1_000_000 }),
    /** The skills that keep their description where the budget is short, the most important first. */
    catalogPins: table.texts("catalog_pins", []),
    maxSkillMdBytes: table.integer("max_skill_md_bytes", 200_000, { min: 1_000, max: 1_048_576 }),
    maxResourceBytes: table.integer("max_resource_bytes", 2_000_000, { min: 1_000, max: 16_777_216 }),
    /** What `allowed-tools` of active skills does with other calls. */
    allowedTools: table.choice<SkillPolicies["allowedTools"]>("allowed_tools", { enforce: true, log: true, off: true }),
    /** What happens when a message matches a skill's triggers. */
    triggers: table.choice<SkillPolicies["triggers"]>("triggers", { off: true, suggest: true, activate: true }),
    /** Whether a notice describes skills that fit a message and that the catalog does not describe. */
    suggest: table.boolean("suggest", false),
    /** The name of a profile in a skillset.json. */
    profile: table.optionalText("profile"),
    /** What runs scripts. Off by default, so that an older settings file does not enable them. */
    scripts: table.choice("scripts", ["off", ...RUNNER_NAMES]),
    /** The variables of the server that scripts get if their skill names them. */
    scriptEnv: table.texts("script_env", []),
    scriptSeconds: table.integer("script_seconds", 60, { min: 1, max: 3_600 }),
    scriptMemoryMb: table.integer("script_memory_mb", 512, { min: 16, max: 65_536 }),
    /** How long a script waits for consent. */
    consentSeconds: table.integer("consent_seconds", 300, { min: 1, max: 3_600 }),
    /** How long the files of a chat are kept after its last script. */
    scriptFilesDays: table.integer("script_files_days", 30, { min: 1, max: 3_650 }),
  };
  return isEnabled ? config : null;
}
