import { type AgentPart, type AgentWith, agentNamesWith, agentsWith, whyNot } from "../../agents/find-agent.ts";
import { anyOf, oneOf } from "./parse-command-line.ts";
import { UsageError } from "./usage-error.ts";

/** The agent that an option names. Throws if its definition lacks the part that the command needs. */
export function agentOption<Part extends AgentPart>(
  option: string,
  given: string | undefined,
  part: Part,
): AgentWith<Part> | undefined {
  const names = agentNamesWith(part);
  const lack = given === undefined ? undefined : whyNot(part, given);
  if (lack !== undefined) throw new UsageError(`${lack} '--${option}' takes ${anyOf(names)}.`);
  const name = oneOf(option, given, names);
  return agentsWith(part).find((agent) => agent.name === name);
}
