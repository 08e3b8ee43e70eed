import { resolve } from "node:path";
import type { Agent, AgentCommand, AgentName, ThinkBuilder } from "../../../acp/index.ts";
import { SkillError } from "../../../core/base/errors.ts";
import type { JsonSchema } from "../../../core/tool/standard-schema.ts";
import type { Io } from "../../terminal/io.ts";
import { createPaint } from "../../terminal/paint.ts";
import { printable, printableJson } from "../../terminal/printable.ts";
import { writeLine } from "../../terminal/write.ts";
import type { ProgressLine } from "./progress-line.ts";
import type { ThinkOutput } from "./think-output.ts";
import { createAsk, type Permissions } from "./think-permissions.ts";
import { ThinkProgress } from "./think-progress.ts";

/** The prompt for an agent, and how to print the answer. */
export interface Task {
  readonly text: string;
  /** Absolute paths. */
  readonly skills: readonly string[];
  readonly folder: string;
  /** In milliseconds. */
  readonly timeout: number | undefined;
  readonly model: string | undefined;
  readonly schema: JsonSchema | undefined;
  readonly permissions: Permissions;
  readonly isJson: boolean;
  readonly isVerbose: boolean;
}

/** Starts an agent, sends the prompt, prints the answer, and always ends the agent. */
export async function runAgent(
  target: AgentName | AgentCommand,
  task: Task,
  output: ThinkOutput,
  io: Io,
): Promise<void> {
  const agent = await connect(target, task, io);
  try {
    await ask(agent, task, output, io);
  } finally {
    await agent.close();
  }
}

/** Ctrl-C closes the agent only while it starts. Later, its turn has to be cancelled first. */
async function connect(target: AgentName | AgentCommand, { timeout, model }: Task, io: Io): Promise<Agent> {
  const { signal, env, cwd } = io;
  // Loaded on demand: with the SDKs of two protocols, it is the largest part of the command line.
  const { connectTarget } = await import("../../../acp/connect-agent.ts");
  const starting = new AbortController();
  const stop = (): void => starting.abort(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const trace = env.SKILLSET_TRACE ? resolve(cwd, env.SKILLSET_TRACE) : "";
    return await connectTarget(target, {
      ...(timeout !== undefined && { startTimeout: timeout }),
      ...(model !== undefined && { model }),
      trace,
      signal: starting.signal,
    });
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

async function ask(agent: Agent, task: Task, output: ThinkOutput, io: Io): Promise<void> {
  const { schema, permissions, isJson, isVerbose } = task;
  const isLive = schema === undefined && !isJson;
  const paint = createPaint(io.stderr, io.env);
  const report = async ({ label, text, details = [], isWarning = false }: ProgressLine): Promise<void> => {
    if (!(isWarning || isVerbose || io.stderr.isTTY)) return;
    await output.report(`${paint(isWarning ? "yellow" : "dim", `${label}:`)} ${text}`);
    for (const line of details) await output.report(paint("dim", `  ${line}`));
  };

  await report({ label: "Agent", text: printable(`${agent.name} ${agent.version}`.trim()) || "unnamed" });
  const policy = { ask: createAsk(permissions, output, io) };
  const stream = prepare(agent, task).permissions(policy).signal(io.signal).stream();
  const progress = new ThinkProgress(permissions);
  let isWhole = true;
  for await (const event of stream) {
    if (io.signal.aborted) continue;
    if (event.type === "events-dropped") isWhole = false;
    if (event.type === "message" && isLive) await output.say(event.text);
    if (event.type === "tool-started") output.endParagraph();
    for (const line of progress.linesFor(event)) await report(line);
  }
  await output.end();
  if (isLive && !isWhole)
    throw new SkillError(
      "agent-failed",
      "Part of the answer is missing, because it arrived too fast. Use '--json' to print the whole answer.",
    );
  if (!isLive) await writeLine(io.stdout, printableJson(await stream.result, 2));
}

function prepare(agent: Agent, { text, skills, folder, timeout, schema }: Task): ThinkBuilder<unknown> {
  const asked: ThinkBuilder<unknown> = schema === undefined ? agent.think() : agent.think(schema);
  const skilled = skills.reduce((builder, skill) => builder.skill(skill), asked.text(text).cwd(folder));
  return timeout === undefined ? skilled : skilled.timeout(timeout);
}
