import { compileNameGlob } from "../core/text/name-glob.ts";
import { AGENT_VARIABLE } from "./agent-target.ts";
import type { Environment } from "./link/agent-process.ts";

/** Which variables of this program an agent gets: all, none, or those with these names. Names may be globs. */
export type InheritEnv = boolean | readonly string[];

/**
 * Returns the variables of this program that an agent gets. The one that selects the agent is not among them: an agent
 * that connects to agents itself would start itself again.
 */
export function inheritedEnv(inherit: InheritEnv): Environment {
  if (inherit === false) return {};
  const globs = inherit === true ? [() => true] : inherit.map((glob) => compileNameGlob(comparable(glob)));
  const own = Object.entries(withoutAgentVariable(process.env));
  return Object.fromEntries(own.filter(([name]) => globs.some((matches) => matches(comparable(name)))));
}

export function withoutAgentVariable(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => comparable(name) !== AGENT_VARIABLE));
}

/** Windows ignores the case of names, such as `Path`. */
function comparable(name: string): string {
  return process.platform === "win32" && typeof name === "string" ? name.toUpperCase() : name;
}
