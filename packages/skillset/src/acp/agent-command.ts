import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type AgentNameWith, agentWith } from "../agents/find-agent.ts";
import { SkillError } from "../core/base/errors.ts";
import type { AgentCommand, Environment } from "./link/agent-process.ts";

/** The agents that can be connected to by name. */
export type AgentName = AgentNameWith<"acp">;

/**
 * Returns the command for a known agent, with changes to this program's environment. If the program is missing, throws
 * an error with the install command.
 */
export function commandFor(name: string, changes: Environment = {}): AgentCommand {
  const { command, args = [], env, packages } = agentWith("acp", name, "{ command, args }").acp;
  if (!isOnPath(command, changes.PATH ?? process.env.PATH)) {
    const message = `The agent '${name}' needs the program '${command}', which is not on the PATH. Install it with: npm install --global ${packages.join(" ")}`;
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
