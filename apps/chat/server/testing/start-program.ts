import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { endWithTest } from "../../../../test/processes.ts";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));

export interface Program {
  readonly child: ChildProcess;
  /** Empty if the program exited instead of listening. */
  readonly url: string;
  readonly exit: Promise<number | null>;
  output(): { readonly stdout: string; readonly stderr: string };
}

/** Starts the real program on a free port, with `config.toml` in the folder, and kills it when the test ends. */
export async function startProgram(project: string, environment: Record<string, string> = {}): Promise<Program> {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH, HOME: project, CONFIG: `${project}/config.toml`, PORT: "0", ...environment },
  });
  endWithTest(child);
  let [stdout, stderr] = ["", ""];
  child.stderr.on("data", (data) => {
    stderr += data;
  });
  const exit = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const url = await new Promise<string>((resolve) => {
    child.stdout.on("data", (data) => {
      stdout += data;
      if (stdout.endsWith("\n")) resolve(stdout.trim());
    });
    void exit.then(() => resolve(""));
  });
  return { child, url, exit, output: () => ({ stdout, stderr }) };
}

/** Settings with the database in `data`, the skills in `.skills`, and a scripted model. */
export function scriptedSettings(model: { readonly url: string }): string {
  return `[database]
folder = "data"
[app.skills]
enabled = true
directories = ["./.skills"]
[models]
titles = "words"
[[models.openai_compatible]]
name = "scripted"
base_url = "${model.url}/v1"
models = [{ id = "tools" }]
`;
}

export function post(url: string, body?: unknown): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** The body of a turn: a message to the scripted model. */
export function question(id: string, text: string) {
  return { message: { id, role: "user", parts: [{ type: "text", text }] }, modelId: "scripted/tools" };
}
