import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { SkillError } from "../core/base/errors.ts";
import type { AgentCommand, Environment } from "./link/agent-process.ts";

/** Agents that can be connected to by name. */
export type AgentName = keyof typeof KNOWN_AGENTS;

const KNOWN_AGENTS = {
  claude: {
    command: "claude-agent-acp",
    args: [],
    // Otherwise its model sees only the names of MCP tools, and has to search for a tool before it can call it.
    env: { ENABLE_TOOL_SEARCH: "false" },
    install: "@agentclientprotocol/claude-agent-acp",
  },
  codex: { command: "codex-acp", args: [], env: {}, install: "@agentclientprotocol/codex-acp" },
  gemini: { command: "gemini", args: ["--acp"], env: {}, install: "@google/gemini-cli" },
  opencode: { command: "opencode", args: ["acp"], env: {}, install: "opencode-ai" },
} as const;

export const AGENT_NAMES = Object.keys(KNOWN_AGENTS) as AgentName[];

/** How to start an agent, with changes to this program's environment; throws with the install command if it is missing. */
export function commandFor(name: string, changes: Environment = {}): AgentCommand {
  if (!Object.hasOwn(KNOWN_AGENTS, name)) {
    const message = `There is no agent '${name}'. Known are ${AGENT_NAMES.join(", ")}; any other is given as { command, args }.`;
    throw new SkillError("agent-not-found", message);
  }
  const { command, args, env, install } = KNOWN_AGENTS[name as AgentName];
  if (!isOnPath(command, changes.PATH ?? process.env.PATH)) {
    const message = `The agent '${name}' needs the program '${command}', which is not on the PATH. Get it with: npm install --global ${install}`;
    throw new SkillError("agent-not-found", message);
  }
  return { command, args, env: { ...env, ...process.env, ...changes } };
}

function isOnPath(program: string, path = ""): boolean {
  const endings = process.platform === "win32" ? [".cmd", ".exe", ""] : [""];
  return path.split(delimiter).some((folder) => endings.some((ending) => canRun(join(folder, program + ending))));
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
