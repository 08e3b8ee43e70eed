import { SkillError } from "../../core/base/errors.ts";
import { LIMITS } from "../../core/base/limits.ts";
import { messageOf } from "../../core/base/message-of.ts";
import { type AgentCommand, AgentProcess } from "../link/agent-process.ts";
import { within } from "../link/deadline.ts";
import { traceTo } from "../link/trace-messages.ts";
import { AcpProxy, type AcpProxyOptions, errorLine } from "./acp-proxy.ts";
import { LineWriter } from "./line-writer.ts";
import { fieldsOf, parseLine } from "./message.ts";
import { readLines } from "./read-lines.ts";

export interface RunProxyOptions extends Omit<AcpProxyOptions, "editor" | "agent" | "trace"> {
  /** Returns the command of the agent. The editor gets its error. */
  command(): AgentCommand;
  /** What the editor writes. */
  readonly input: AsyncIterable<Uint8Array | string>;
  /** Writes to the editor. Resolves when it has taken the bytes. */
  write(bytes: Uint8Array | string): Promise<void>;
  readonly signal: AbortSignal;
  /** A file to which the messages that the agent gets and sends are appended, without secrets. */
  readonly trace?: string | undefined;
}

/**
 * Runs an agent behind an editor, with skills, until the editor disconnects or the signal is aborted. Rejects if the
 * agent cannot be started or ends. Nothing of the agent is left afterwards.
 */
export async function runProxy(given: RunProxyOptions): Promise<void> {
  const { command: find, input, write, signal, trace: file, ...options } = given;
  const gone = Promise.withResolvers<void>();
  const editor = new LineWriter((bytes) => write(bytes).catch(() => gone.resolve()));
  const { command, env, process } = await startAgent(find).catch(async (error: unknown) => {
    await answerFirst(input, editor, messageOf(error));
    throw error;
  });
  // An agent that does not read any more is about to end.
  const agent = new LineWriter((bytes) => new Promise((resolve) => process.input.write(bytes, () => resolve())));
  const trace = file === undefined ? undefined : traceTo(file, env);
  const proxy = new AcpProxy({ ...options, editor, agent, trace });
  signal.addEventListener("abort", () => gone.resolve(), { once: true });
  if (signal.aborted) gone.resolve();
  void proxy
    .readEditor(input)
    .catch(() => {})
    .then(gone.resolve);
  const ended = untilEnd(process, proxy.readAgent(process.output));
  try {
    const how = await Promise.race([gone.promise, ended]);
    if (how === undefined) return;
    const hint = proxy.hasAnswered ? "" : " before it responded. It must speak ACP over stdin and stdout";
    const failure = new SkillError("agent-failed", `The agent '${command}' ${how}${hint}.`);
    await within(LIMITS.agent.closeTime, proxy.fail(failure.message));
    throw failure;
  } finally {
    await Promise.all([process.stop(), proxy.close()]);
  }
}

async function startAgent(find: RunProxyOptions["command"]) {
  const given = find();
  const { command, env = globalThis.process.env } = given;
  return { command, env, process: await AgentProcess.start(given, { stderr: "inherit" }) };
}

/** Resolves to a description of how the agent ended, after its last messages were passed on. */
async function untilEnd({ exited }: AgentProcess, reading: Promise<void>): Promise<string> {
  const read = reading.catch(() => {});
  await Promise.race([read, exited]);
  const how = await within(LIMITS.agent.closeTime, exited);
  await within(LIMITS.agent.closeTime, read);
  return how ?? "closed its output";
}

/** Editors start an agent and send a request: its answer says why there is no agent. */
async function answerFirst(input: RunProxyOptions["input"], editor: LineWriter, message: string): Promise<void> {
  const answer = async (): Promise<void> => {
    for await (const piece of readLines(input, LIMITS.hard.request)) {
      const { id } = fieldsOf(piece.kind === "line" && parseLine(piece.bytes));
      if (id === undefined) continue;
      await editor.send(errorLine(id, message));
      return;
    }
  };
  await within(
    LIMITS.agent.closeTime,
    answer().catch(() => {}),
  );
}
