import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeFiles } from "../temporary-folder.ts";

export const ADMIN_TOKEN = "a-token-for-browser-tests";
export const PROJECT = fileURLToPath(new URL("../../", import.meta.url));

export interface ChatOptions {
  /** Files of skills, such as `notes/SKILL.md`, in a folder of their own. */
  readonly skills?: Readonly<Record<string, string>>;
  /** The same in a second folder, whose skills give way to those of the first. */
  readonly moreSkills?: Readonly<Record<string, string>>;
  /** Other folders with skills, after these. */
  readonly directories?: readonly string[];
  /** The address of a scripted model; it becomes the default. */
  readonly modelUrl?: string;
  readonly areSkillsOn?: boolean;
  /** Settings of a file instead of these. */
  readonly configFile?: string;
}

/** The chat's server as people start it, in a process of its own, with a fresh database. */
export interface StartedChat extends AsyncDisposable {
  readonly url: string;
  /** Where the skills are that the test gave. */
  readonly skillsFolder: string;
}

export async function startChat(options: ChatOptions = {}): Promise<StartedChat> {
  const { skills = {}, moreSkills = {}, directories = [], modelUrl, areSkillsOn = true } = options;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "skillset-chat-")));
  const skillsFolder = join(folder, "skills");
  const moreFolder = join(folder, "more-skills");
  writeFiles(skillsFolder, { ".keep": "", ...skills });
  writeFiles(moreFolder, { ".keep": "", ...moreSkills });
  const { configFile = join(folder, "config.toml") } = options;
  if (options.configFile === undefined) {
    writeFileSync(configFile, settings([skillsFolder, moreFolder, ...directories], areSkillsOn, modelUrl));
  }
  const server = spawn(process.execPath, [join(PROJECT, "apps/chat/server/main.ts")], {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      CONFIG: configFile,
      DATA_DIR: join(folder, "data"),
      PORT: "0",
      ADMIN_TOKEN,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const close = async () => {
    await end(server);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { url: (await firstLine(server)).replace(/\/$/, ""), skillsFolder, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

function settings(directories: readonly string[], areSkillsOn: boolean, modelUrl: string | undefined): string {
  const lines = ["[app.skills]", `enabled = ${areSkillsOn}`, `directories = ${JSON.stringify(directories)}`];
  if (modelUrl !== undefined) {
    lines.push("[models]", 'default = "scripted/with-tools"', "[[models.openai_compatible]]", 'name = "scripted"');
    lines.push(`base_url = "${modelUrl}/v1"`);
    lines.push('models = [{ id = "with-tools" }, { id = "without-tools", tools = false }]');
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
    server.once("exit", (code) => reject(new Error(`The server ended with ${code}:\n${errors}`)));
  });
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const ended = new Promise((resolve) => server.once("exit", resolve));
  server.kill("SIGTERM");
  const timer = setTimeout(() => server.kill("SIGKILL"), 5_000);
  await ended;
  clearTimeout(timer);
}
