import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";
import { createDatabase } from "../../apps/chat/server/testing/postgres-server.ts";
import { writeFiles } from "../temporary-folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of a PostgreSQL server; without it, chats use embedded databases. */
    readonly postgres?: string;
  }
}

export const ADMIN_TOKEN = "a-token-for-browser-tests";
export const PROJECT = fileURLToPath(new URL("../../", import.meta.url));

export interface ChatOptions {
  /** Files of skills, such as `notes/SKILL.md`, in a separate folder. */
  readonly skills?: Readonly<Record<string, string | Uint8Array>>;
  /** Files in a second folder, whose skills have lower precedence. */
  readonly moreSkills?: Readonly<Record<string, string>>;
  /** Other folders with skills, after these. */
  readonly directories?: readonly string[];
  /** The URL of a scripted model, which becomes the default. */
  readonly modelUrl?: string;
  /** More fields of that model in the settings, such as `price = { input = 3.0, output = 15.0 }`. */
  readonly modelFields?: string;
  /** Whether the model also writes titles, which is one more request. */
  readonly hasTitles?: boolean;
  readonly areSkillsOn?: boolean;
  /** What runs scripts, such as `auto`. By default nothing does. */
  readonly scripts?: string;
  /** Variables of the server that scripts get if their skill names them. */
  readonly scriptEnv?: Readonly<Record<string, string>>;
  /** What happens when a message matches a skill's triggers. By default nothing does. */
  readonly triggers?: string;
  /** How long the bin keeps things. By default 30 days. */
  readonly binDays?: number;
  /** The size of the catalog in tokens. */
  readonly catalogTokens?: number;
  /** How strictly skills are checked. */
  readonly policy?: "standard" | "lenient";
  /** The folder in which the server starts. Skills at and above it are loaded too. */
  readonly startFolder?: string;
  /** A settings file that replaces these settings. */
  readonly configFile?: string;
  /** A database that several chats share. */
  readonly databaseUrl?: string;
}

/** Starts the chat's server as users do, in a separate process with a new database. */
export interface StartedChat extends AsyncDisposable {
  readonly url: string;
  /** The folder of the test's skills. */
  readonly skillsFolder: string;
  /** Kills the server. */
  kill(): Promise<void>;
  /** Restarts a killed server at the same address with the same data. */
  restart(): Promise<void>;
}

export async function startChat(options: ChatOptions = {}): Promise<StartedChat> {
  const { skills = {}, moreSkills = {}, directories = [] } = options;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "skillset-chat-")));
  const skillsFolder = join(folder, "skills");
  const moreFolder = join(folder, "more-skills");
  writeFiles(skillsFolder, { ".keep": "", ...skills });
  writeFiles(moreFolder, { ".keep": "", ...moreSkills });
  const { configFile = join(folder, "config.toml") } = options;
  if (options.configFile === undefined) {
    writeFileSync(configFile, settings([skillsFolder, moreFolder, ...directories], options));
  }
  const postgres = inject("postgres");
  const databaseUrl = options.databaseUrl ?? (postgres && (await createDatabase(postgres)));
  if (databaseUrl === undefined) {
    // Imports the embedded database, which chats on a PostgreSQL server do not need.
    const { fillDataFolder } = await import("../../apps/chat/server/testing/memory-database.ts");
    await fillDataFolder(join(folder, "data"));
  }
  const launch = (port: string): ChildProcess =>
    spawn(process.execPath, [join(PROJECT, "apps/chat/server/main.ts")], {
      env: {
        ...options.scriptEnv,
        PATH: process.env.PATH,
        HOME: folder,
        CONFIG: configFile,
        ...(databaseUrl === undefined ? { DATA_DIR: join(folder, "data") } : { DATABASE_URL: databaseUrl }),
        PORT: port,
        ADMIN_TOKEN,
      },
      stdio: ["ignore", "pipe", "pipe"],
      ...(options.startFolder !== undefined && { cwd: options.startFolder }),
    });
  let server = launch("0");
  const close = async () => {
    await end(server);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const url = (await firstLine(server)).replace(/\/$/, "");
    const kill = () => end(server, "SIGKILL");
    const restart = async () => {
      server = launch(new URL(url).port);
      await firstLine(server);
    };
    return { url, skillsFolder, kill, restart, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

function settings(directories: readonly string[], options: ChatOptions): string {
  const { areSkillsOn = true, modelUrl, hasTitles = false, scripts, triggers } = options;
  const { catalogTokens, binDays, policy, startFolder } = options;
  const fields = ["vision = true", "pdf = true", ...(options.modelFields ? [options.modelFields] : [])].join(", ");
  const lines = binDays === undefined ? [] : ["[database]", `bin_days = ${binDays}`];
  lines.push("[app.skills]", `enabled = ${areSkillsOn}`, `directories = ${JSON.stringify(directories)}`);
  lines.push("max_skills = 1000");
  if (scripts !== undefined) lines.push(`scripts = "${scripts}"`);
  if (options.scriptEnv !== undefined) lines.push(`script_env = ${JSON.stringify(Object.keys(options.scriptEnv))}`);
  if (policy !== undefined) lines.push(`policy = "${policy}"`);
  if (startFolder !== undefined) lines.push("parent_folders = true");
  if (catalogTokens !== undefined) lines.push(`max_catalog_tokens = ${catalogTokens}`);
  if (triggers !== undefined) lines.push(`triggers = "${triggers}"`);
  if (modelUrl !== undefined) {
    // Most scripts do not expect one more request.
    lines.push("[models]", `titles = "${hasTitles ? "model" : "words"}"`);
    lines.push('default = "scripted/with-tools"', "[[models.openai_compatible]]", 'name = "scripted"');
    lines.push(`base_url = "${modelUrl}/v1"`);
    lines.push(`models = [{ id = "with-tools", ${fields} }, { id = "without-tools", tools = false }]`);
  }
  return `${lines.join("\n")}\n`;
}

async function firstLine(server: ChildProcess): Promise<string> {
  let errors = "";
  server.stderr?.on("data", (chunk) => {
    errors += chunk;
  });
  return new Promise((resolve, reject) => {
    let text = "";
    server.stdout?.on("data", (chunk) => {
      text += chunk;
      const [line, ...more] = text.split("\n");
      if (line && more.length > 0) resolve(line.trim());
    });
    server.once("exit", (code) => reject(new Error(`The server exited with ${code}:\n${errors}`)));
  });
}

async function end(server: ChildProcess, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once("exit", resolve));
  server.kill(signal);
  const timer = setTimeout(() => server.kill("SIGKILL"), 5_000);
  await ended;
  clearTimeout(timer);
}
