import { resolve } from "node:path";
import { agentWith } from "../agents/find-agent.ts";
import { checkOptions, type OptionTable } from "../core/text/check-options.ts";
import type { HomeAgentName } from "../node/install/agent-homes.ts";
import { modelVariables } from "../node/install/model-variables.ts";
import { mountListedSkills, workspacesOf } from "../prompt/agent/listed-skills.ts";
import { createPromptHome } from "../prompt/agent/prompt-home.ts";
import type { Prompt } from "../prompt/prompt.ts";
import type { PromptResponse } from "../prompt/prompt-response.ts";
import type { AnyParams } from "../prompt/section/section.ts";
import { type AgentName, commandFor, startsWithModel } from "./agent-command.ts";
import { CONNECT_OPTIONS, type ConnectAgentOptions, connectAgent } from "./connect-agent.ts";
import { THINK_PROMPT_OPTIONS, type ThinkPromptOptions } from "./options/think-plan.ts";

/** Options for `evaluatePrompt`. */
export interface EvaluateAgentPromptOptions<Output>
  extends Omit<ConnectAgentOptions, "scripts" | "inheritEnv">,
    Omit<ThinkPromptOptions, "installed" | "skillsDir"> {
  /** The agent, which gets its own temporary home. */
  readonly agent: AgentName & HomeAgentName;
  readonly prompt: Prompt<AnyParams, Output>;
  /**
   * Whether skills without tools are installed in the agent's home. If false, all skills stay in the prompt.
   * @default true
   */
  readonly installSkills?: boolean;
  /** Your folders that the agent keeps using, by variable: `{ CODEX_HOME: "/home/ann/.codex" }`. */
  readonly keep?: Readonly<Record<string, string>>;
  /** Cancels the run of the agent after this many milliseconds, once it has started. */
  readonly timeout?: number;
  /**
   * Called with warnings for the operator.
   * @default process.emitWarning
   */
  readonly onWarning?: (message: string) => void;
}

/**
 * Evaluates a prompt with an agent in a temporary home: skills that it can load itself are installed there, and nothing
 * else of yours is. The agent gets `PATH`, the variables for its model and its key, and `env`. The home is removed
 * afterwards.
 *
 * @example
 * ```ts
 * import { type EvaluateAgentPromptOptions, evaluatePrompt } from "skillset/acp";
 * import { MarkdownSection, Prompt, PromptTemplate, SkillRef, SkillsSection } from "skillset/prompt";
 *
 * declare const agent: EvaluateAgentPromptOptions<unknown>["agent"];
 * const task = new MarkdownSection({ title: "Task", key: "task", template: "Review the code in this folder." });
 * const skills = new SkillsSection({ skillRefs: [new SkillRef({ path: "./skills/code-review" })] });
 * const prompt = new Prompt(new PromptTemplate({ ns: "review", key: "code", sections: [task, skills] }));
 * const { text } = await evaluatePrompt({ agent, prompt, permissions: { allow: ["read"] } });
 * ```
 */
export async function evaluatePrompt<Output>(
  options: EvaluateAgentPromptOptions<Output>,
): Promise<PromptResponse<Output>> {
  checkOptions("evaluatePrompt()", options, OPTIONS);
  const { agent, prompt, installSkills = true, keep, timeout, onWarning, env, cwd, signal, ...rest } = options;
  const { enabledSkills, overrides, scripts, session, onEvent, mode: _, ...connecting } = rest;
  signal?.throwIfAborted();
  const shared = { enabledSkills, overrides };
  const definition = agentWith("home", agent, "{ command, args }");
  const { command, args, env: own } = programOf(agent, { env, model: connecting.model });
  const home = await createPromptHome(prompt as Prompt, {
    ...shared,
    agent,
    installSkills,
    session,
    onEvent,
    keep,
    env: { ...own, ...modelVariables(definition.home), ...env },
    signal,
  });
  try {
    const { skillsDir, installed } = home;
    const workspaces = workspacesOf(prompt);
    for (const workspace of workspaces) await workspace.open({ signal });
    const folder = resolve(cwd ?? workspaces[0]?.tempDir ?? ".");
    const mode = options.mode ?? (hasTools(agent, options) ? "tools" : "files");
    await mountListedSkills(prompt, folder, { mode, warn: onWarning ?? warn, signal });
    const model = startsWithModel(agent) ? undefined : connecting.model;
    const connection = { ...connecting, model, cwd: folder, signal };
    const connected = await connectAgent({ command, args, env: home.env }, connection);
    try {
      const given = { ...shared, onWarning, scripts, session, onEvent, mode, installed, skillsDir };
      const asked = connected.think().prompt(prompt, given);
      return await (timeout === undefined ? asked : asked.timeout(timeout)).run();
    } finally {
      await connected.close();
    }
  } finally {
    await home.close();
  }
}

/** The program that speaks ACP, and the variables that it starts with. */
function programOf(agent: AgentName, options: Pick<ConnectAgentOptions, "env" | "model">) {
  const { command, args } = commandFor(agent, options);
  return { command, args, env: agentWith("acp", agent, "{ command, args }").acp.env };
}

/** Whether the agent can get our tools. */
function hasTools(agent: AgentName, { bridge }: Pick<ConnectAgentOptions, "bridge">): boolean {
  const { bridges } = agentWith("acp", agent, "{ command, args }").acp;
  return bridge !== "none" && bridges?.length !== 0;
}

function warn(message: string): void {
  process.emitWarning(message);
}

const { inheritEnv: _inheritEnv, ...CONNECTING } = CONNECT_OPTIONS;
const { installed: _installed, skillsDir: _skillsDir, ...PROMPTING } = THINK_PROMPT_OPTIONS;
const OPTIONS: OptionTable<EvaluateAgentPromptOptions<unknown>> = {
  ...CONNECTING,
  ...PROMPTING,
  agent: true,
  prompt: true,
  installSkills: true,
  keep: true,
  timeout: true,
};
