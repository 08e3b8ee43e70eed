import type { AcpProgram } from "../agents/agent-definition.ts";
import { type AgentNameWith, agentsWith, agentWith } from "../agents/find-agent.ts";
import { SkillError } from "../core/base/errors.ts";
import { type InheritEnv, inheritedEnv } from "./agent-environment.ts";
import type { AgentCommand, Environment } from "./link/agent-process.ts";
import { isOnPath } from "./link/is-on-path.ts";

/** The agents that can be connected to by name. */
export type AgentName = AgentNameWith<"acp">;

/** How an agent is started. */
export interface StartAgentOptions {
  /** Environment variables for an agent started by name or command; undefined removes a variable. */
  readonly env?: Environment;
  /**
   * Which environment variables of this program an agent started by name or command gets: all, none, or those with these
   * names. Names may be globs, such as `LC_*`.
   * @default true
   */
  readonly inheritEnv?: InheritEnv;
  /** The model that the agent uses. It must be one of the agent's own models. */
  readonly model?: string;
}

/**
 * Returns the command for a known agent. If the program is missing, throws an error that says how to install it. The
 * agent's default variables have the lowest precedence, `env` has the highest.
 */
export function commandFor(name: string, { env = {}, inheritEnv = true, model }: StartAgentOptions = {}): AgentCommand {
  const program: AcpProgram = agentWith("acp", name, "{ command, args }").acp;
  const { command, args = [], env: defaults, packages, installPage } = program;
  const environment = { ...defaults, ...inheritedEnv(inheritEnv), ...env };
  if (!isOnPath(command, environment.PATH ?? environment.Path)) {
    const install = installPage
      ? `To install it, see ${installPage}`
      : `Install it with: npm install --global ${packages.join(" ")}`;
    const hint = environment.PATH === undefined && inheritEnv !== true ? " 'inheritEnv' leaves out 'PATH'." : "";
    const message = `The agent '${name}' needs the program '${command}', which is not on the PATH.${hint} ${install}`;
    throw new SkillError("agent-not-found", message);
  }
  const chosen = model === undefined ? [] : (program.modelArgs?.(model) ?? []);
  return { command, args: [...args, ...chosen], env: environment };
}

/** Whether an agent is started with the model, because its sessions offer no choice. */
export function startsWithModel(target: object | string): boolean {
  return agentsWith("acp").some(({ name, acp }) => name === target && acp.modelArgs !== undefined);
}

/** Returns a given command, with the environment from the options. */
export function commandWith(given: AgentCommand, { env = {}, inheritEnv }: StartAgentOptions): AgentCommand {
  if (given.env === undefined) return { ...given, env: { ...inheritedEnv(inheritEnv ?? true), ...env } };
  if (inheritEnv !== undefined)
    throw new SkillError(
      "option-invalid",
      "'inheritEnv' has no effect on a command with its own 'env', which is its whole environment. Remove one of them.",
    );
  return { ...given, env: { ...given.env, ...env } };
}
