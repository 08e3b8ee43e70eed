import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Agent, type ConnectAgentOptions, connectAgent } from "../../packages/skillset/src/acp/index.ts";
import type { ScriptFault, ScriptStep } from "../../packages/testing/src/model/script.ts";
import type { ReceivedRequest } from "../../packages/testing/src/wire/model-request.ts";

/** An agent that the scenarios run against. */
export interface AgentUnderTest {
  readonly name: string;
  /** Starts it with a model that plays the script, and connects to it. */
  start(script: readonly ScriptStep[], options?: ConnectAgentOptions): Promise<StartedAgent>;
}

export interface StartedAgent extends AsyncDisposable {
  readonly agent: Agent;
  readonly model: PlayedModel;
  /** The agent's working folder, empty at the start. */
  readonly cwd: string;
  /** A folder next to the working folder, for the scenario's files. */
  readonly folder: string;
}

/** The recorded conversations of a scripted model. */
export interface PlayedModel {
  readonly requests: readonly ReceivedRequest[];
  readonly faults: readonly ScriptFault[];
}

/** The target for `connectAgent`, and the model to close after the test. */
export interface Preparation {
  readonly target: Parameters<typeof connectAgent>[0];
  readonly env?: ConnectAgentOptions["env"];
  readonly model: PlayedModel & { close(): Promise<void> };
  readonly cwd: string;
}

/** Connects to an agent that is prepared in a separate folder, which is removed afterwards. */
export async function startAgent(
  prepare: (folder: string) => Promise<Preparation>,
  options: ConnectAgentOptions = {},
): Promise<StartedAgent> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "skillset-agent-")));
  const folder = join(root, "beside");
  mkdirSync(folder);
  await using undo = new AsyncDisposableStack();
  // Agents write into their homes until they have ended, and some for a moment longer.
  undo.defer(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));
  const { target, env, model, cwd } = await prepare(root);
  undo.defer(() => model.close());
  const agent = undo.use(await connectAgent(target, { cwd, ...(env && { env }), ...options }));
  const kept = undo.move();
  return { agent, model, cwd, folder, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** A run that hangs is cancelled after this many milliseconds; real agents are slow on a busy machine. */
export const PATIENCE = 100_000;

/** The requests of the conversations, without those for titles and reviews. */
export function turnsOf({ requests }: PlayedModel): readonly ReceivedRequest[] {
  return requests.filter(({ side }) => !side);
}

/** Everything that was sent to the model. */
export function textOf({ body }: ReceivedRequest): string {
  return JSON.stringify(body);
}
