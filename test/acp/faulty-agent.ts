import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, vi } from "vitest";
import {
  type Agent,
  type AgentCommand,
  type ConnectAgentOptions,
  connectAgent,
  type ThinkEvent,
} from "../../packages/skillset/src/acp/index.ts";

/** The import for programs that use the library's sources. */
export const LIBRARY = fileURLToPath(new URL("../../packages/skillset/src/acp/index.ts", import.meta.url));

/** An agent that runs as a program, and its processes. */
export interface FaultyAgent extends AsyncDisposable {
  readonly agent: Agent;
  readonly command: AgentCommand;
  /** Its own process and its running child processes. */
  processes(): readonly number[];
}

/** Connects to an agent in one of its modes. After the test, none of its processes may be left. */
export async function startFaulty(
  [mode, ...args]: readonly [mode: string, ...args: string[]],
  options: ConnectAgentOptions = {},
): Promise<FaultyAgent> {
  const { command, processes } = faultyCommand(mode, ...args);
  const agent = await connectAgent(command, { startTimeout: 20_000, ...options });
  return {
    agent,
    command,
    processes,
    [Symbol.asyncDispose]: async () => {
      await agent.close();
      await expectNone(processes);
    },
  };
}

/** The command for an agent whose processes can be found, whoever starts it. */
export function faultyCommand(mode: string, ...args: string[]) {
  const mark = `mark-${randomUUID()}`;
  const program = mode === "instructed" ? "./instructed-agent.ts" : "./agent-program.ts";
  const path = fileURLToPath(new URL(program, import.meta.url));
  const command: AgentCommand = {
    command: process.execPath,
    args: [path, mode, ...args],
    env: { ...process.env, ACP_TEST_MARK: mark },
  };
  const groups = new Set<number>();
  return { command, processes: () => processesMarked(mark, groups) };
}

/** All events of a run. */
export async function take(stream: AsyncIterable<ThinkEvent>): Promise<ThinkEvent[]> {
  const events: ThinkEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

/** Waits until none of the processes is left. */
export async function expectNone(processes: () => readonly number[]): Promise<void> {
  await vi.waitFor(() => expect(processes()).toEqual([]), { timeout: 10_000, interval: 50 });
}

/** The processes with the mark in their environment, and those in their groups: a bridge has its own environment. */
function processesMarked(mark: string, groups: Set<number>): readonly number[] {
  const all = listProcesses();
  const marked = all.filter(({ pid }) => readOr(`/proc/${pid}/environ`).includes(mark));
  // A known group is searched even after its leader has ended.
  for (const { group } of marked) groups.add(group);
  return all.filter((one) => marked.includes(one) || groups.has(one.group)).map(({ pid }) => pid);
}

/** All running processes except zombies; empty without /proc. */
function listProcesses(): readonly { readonly pid: number; readonly group: number }[] {
  if (!existsSync("/proc/self/stat")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const [state, , group] = readOr(`/proc/${name}/stat`)
        .replace(/^.*\) /s, "")
        .split(" ");
      return state === undefined || state === "" || state === "Z" ? [] : [{ pid: Number(name), group: Number(group) }];
    });
}

/** Whether a process was suspended by a signal. */
export function isSuspended(pid: number): boolean {
  return /^.*\) T /s.test(readOr(`/proc/${pid}/stat`));
}

/** The command line of a process. */
export function commandLine(pid: number): string {
  return readOr(`/proc/${pid}/cmdline`).replaceAll("\0", " ");
}

function readOr(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
