import type { ModelTool } from "../../../core/operations/model-tool.ts";
import type { ScriptConsent } from "../../../core/script/script.ts";
import type { Session } from "../../../core/session.ts";
import { aroundCalls } from "../../../core/tool/model-tool.ts";
import type { PromptRun } from "../../../prompt/prompt-run.ts";
import type { AgentOptions } from "../../options/agent-options.ts";
import type { PlannedPrompt } from "../../options/think-plan.ts";

interface PromptSurroundings {
  readonly skills: Session;
  readonly agent: AgentOptions;
  /** Whether the agent can get our tools. */
  readonly hasTools: boolean;
}

/**
 * Starts a prompt of sections. An agent that gets our tools loads skills with them, wherever their folders are; any other
 * one reads their files. The result is returned as in every run.
 */
export function startPrompt(
  { prompt, options }: PlannedPrompt,
  { skills, agent, hasTools }: PromptSurroundings,
): PromptRun<unknown> {
  const { skillsDir: _, ...rest } = options;
  return prompt.start({
    ...rest,
    mode: options.mode ?? (hasTools ? "tools" : "files"),
    session: options.session ?? skills,
    scripts: options.scripts ?? agent.scripts,
    returnTool: false,
  });
}

/** Lets the run decide about a prompt's scripts, if nobody else does. */
export function withConsent(
  { options }: PlannedPrompt,
  { scripts }: AgentOptions,
  consent: ScriptConsent,
): (tool: ModelTool) => ModelTool {
  const isGiven = (options.scripts ?? scripts)?.consent !== undefined;
  return (tool) => {
    if (isGiven || tool.id !== "run_skill_script") return tool;
    // A skill must not get around the run's permissions.
    const hooks = { consent, grants: false };
    return aroundCalls(tool, (execute) => (input, given) => execute(input, { ...given, scripts: hooks }));
  };
}
