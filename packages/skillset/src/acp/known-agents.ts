import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { SkillError } from "../core/errors.ts";
import type { AgentCommand } from "./agent-process.ts";

/** Agents that can be connected to by name. */
export type AgentName = keyof typeof KNOWN_AGENTS;

const KNOWN_AGENTS = {
  claude: { command: "claude-agent-acp", args: [], install: "@agentclientprotocol/claude-agent-acp" },
  codex: { command: "codex-acp", args: [], install: "@agentclientprotocol/codex-acp" },
  gemini: { command: "gemini", args: ["--acp"], install: "@google/gemini-cli" },
  opencode: { command: "opencode", args: ["acp"], install: "opencode-ai" },
} as const;

export const AGENT_NAMES = Object.keys(KNOWN_AGENTS) as AgentName[];

/** How an agent is started; an error that says how to get it when it is not there. */
export function commandFor(name: string): AgentCommand {
  if (!Object.hasOwn(KNOWN_AGENTS, name)) {
    const message = `There is no agent '${name}'. Known are ${AGENT_NAMES.join(", ")}; any other is given as { command, args }.`;
    throw new SkillError("agent-not-found", message);
  }
  const { command, args, install } = KNOWN_AGENTS[name as AgentName];
  if (!isOnPath(command)) {
    const message = `The agent '${name}' needs the program '${command}', which is not on the PATH. Get it with: npm install --global ${install}`;
    throw new SkillError("agent-not-found", message);
  }
  return { command, args };
}

function isOnPath(program: string): boolean {
  const endings = process.platform === "win32" ? [".cmd", ".exe", ""] : [""];
  return (process.env.PATH ?? "")
    .split(delimiter)
    .some((folder) => endings.some((ending) => canRun(join(folder, program + ending))));
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
