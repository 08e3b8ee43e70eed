import { resolve } from "node:path";
import { claude } from "../agents/claude.ts";
import { SkillError } from "../core/base/errors.ts";
import { NAMES } from "../core/base/limits.ts";
import type { ScriptOptions } from "../core/script/script-options.ts";
import type { Session } from "../core/session.ts";
import { checkOptions, type OptionTable } from "../core/text/check-options.ts";
import { modelVariables } from "../node/install/model-variables.ts";
import { mountListedSkills, workspacesOf } from "../prompt/agent/listed-skills.ts";
import { createPromptHome, type PromptHome } from "../prompt/agent/prompt-home.ts";
import type { Prompt } from "../prompt/prompt.ts";
import type { PromptResponse } from "../prompt/prompt-response.ts";
import type { PromptEvent } from "../prompt/section/events.ts";
import type { Names } from "../prompt/section/names.ts";
import type { AnyParams } from "../prompt/section/section.ts";
import { askClaude } from "./ask-claude.ts";
import { type ClaudeAgentSDK, type ClaudeMessage, loadClaudeAgentSDK } from "./claude-agent-sdk.ts";
import { type IsolationConfig, writeSettings } from "./isolation-config.ts";
import type { ClaudeAgentSDKClientConfig } from "./query-options.ts";

/** How Claude Code runs. */
export interface ClaudeAgentSDKAdapterOptions {
  /**
   * How to run Claude Code.
   * @default {}
   */
  readonly clientConfig?: ClaudeAgentSDKClientConfig;
  /** Runs each evaluation in a separate home. Without it, no skills are installed. */
  readonly isolation?: IsolationConfig;
  /**
   * The SDK, if this package cannot resolve it.
   * @default the installed `@anthropic-ai/claude-agent-sdk`
   */
  readonly sdk?: ClaudeAgentSDK;
  /**
   * Called with warnings for the operator.
   * @default process.emitWarning
   */
  readonly onWarning?: (message: string) => void;
}

/** What one evaluation is given. */
export interface EvaluateOptions {
  /** The conversation that the events refer to. In a `Session`, skills that the agent reads or opens become active. */
  readonly session?: Session | { readonly id: string };
  /** Cancels the evaluation. */
  readonly signal?: AbortSignal;
  /**
   * The names of the skills to include.
   * @default all skills
   */
  readonly enabledSkills?: Names;
  /**
   * Replacement templates by dotted key, for sections that accept overrides.
   * @default {}
   */
  readonly overrides?: Readonly<Record<string, string>>;
  /**
   * Runs the scripts of the skills that are in the prompt. Claude Code runs those of installed skills itself, if its
   * permissions allow it.
   */
  readonly scripts?: ScriptOptions;
  /** Called when skills are installed, expanded or activated, and with every message of the agent. */
  readonly onEvent?: (event: ClaudeEvent) => unknown;
}

/** An event of an evaluation. */
export type ClaudeEvent = PromptEvent | { readonly type: "AgentMessage"; readonly message: ClaudeMessage };

/** Options for `evaluatePrompt`. */
export interface EvaluateClaudePromptOptions<Output> extends ClaudeAgentSDKAdapterOptions, EvaluateOptions {
  readonly prompt: Prompt<AnyParams, Output>;
}

/**
 * Evaluates a prompt with Claude Code through the Claude Agent SDK. With an `isolation`, the agent gets its own temporary
 * home, where the skills are installed that it can load itself. All temporary files are removed afterwards.
 *
 * @example
 * ```ts
 * import { evaluatePrompt, IsolationConfig, NetworkPolicy } from "skillset/claude";
 * import { AgentSkillsSection, MarkdownSection, Prompt, PromptTemplate } from "skillset/prompt";
 *
 * const task = new MarkdownSection({ title: "Task", key: "task", template: "Review the code in this folder." });
 * const skills = new AgentSkillsSection({ skillsDir: "./skills" });
 * const prompt = new Prompt(new PromptTemplate({ ns: "review", key: "code", sections: [task, skills] }));
 *
 * const isolation = new IsolationConfig({ networkPolicy: NetworkPolicy.noNetwork() });
 * const { text } = await evaluatePrompt({ prompt, clientConfig: { allowedTools: ["Read"] }, isolation });
 * console.log(text);
 * ```
 */
export async function evaluatePrompt<Output>(
  options: EvaluateClaudePromptOptions<Output>,
): Promise<PromptResponse<Output>> {
  checkOptions("evaluatePrompt()", options, OPTIONS);
  checkClientConfig(options.clientConfig);
  const { prompt, isolation, signal, session, onEvent, enabledSkills, overrides } = options;
  signal?.throwIfAborted();
  const sdk = options.sdk ?? (await loadClaudeAgentSDK());
  try {
    await prompt.checkRequirements({ signal });
    const home =
      isolation &&
      (await createPromptHome(prompt as Prompt, {
        agent: "claude",
        installSkills: isolation.installSkills,
        enabledSkills,
        overrides,
        session,
        onEvent,
        env: { ...modelVariables(claude.home), ...isolation.env },
        keep: isolation.configDir === undefined ? undefined : { CLAUDE_CONFIG_DIR: isolation.configDir },
        signal,
      }));
    try {
      return await evaluateIn(home, sdk, options);
    } finally {
      await home?.close();
    }
  } catch (error) {
    // After an abort, every later error is a consequence of it.
    signal?.throwIfAborted();
    throw error;
  }
}

async function evaluateIn<Output>(
  home: PromptHome | undefined,
  sdk: ClaudeAgentSDK,
  options: EvaluateClaudePromptOptions<Output>,
): Promise<PromptResponse<Output>> {
  const { prompt, clientConfig = {}, isolation, session, signal, enabledSkills, overrides, scripts, onEvent } = options;
  const warn = warnOnce(options.onWarning);
  const run = prompt.start({
    enabledSkills,
    overrides,
    scripts,
    session,
    onEvent,
    onWarning: warn,
    installed: home?.installed,
    toolName: (name) => claude.acp.toolName(NAMES.promptServer, name),
    // Claude Code returns structured output in its own way.
    returnTool: false,
  });
  if (home === undefined && run.rendered.skills.length > 0) warn(NOT_INSTALLED);
  signal?.throwIfAborted();
  const workspaces = workspacesOf(prompt as Prompt);
  for (const workspace of workspaces) await workspace.open({ signal });
  const cwd = resolve(clientConfig.cwd ?? workspaces[0]?.tempDir ?? ".");
  await mountListedSkills(prompt as Prompt, cwd, { warn, signal });
  if (home !== undefined && isolation !== undefined) {
    const readOnly = workspaces.flatMap(({ readOnlyPaths }) => readOnlyPaths);
    writeSettings(home, isolation, readOnly);
  }
  return askClaude(sdk, run, { ...options, clientConfig, home, cwd });
}

/** Throws for settings that Claude Code would not apply as they are written. */
export function checkClientConfig(config: ClaudeAgentSDKClientConfig | undefined): void {
  checkOptions("'clientConfig'", config, CLIENT_OPTIONS);
  const { options = {} } = config ?? {};
  const twice = ["cwd", "env", "model", "permissionMode", "allowedTools", "disallowedTools", "maxTurns"].find(
    (name) => name in options,
  );
  if (twice === undefined) return;
  throw new SkillError("option-invalid", `Set '${twice}' in 'clientConfig' directly, not in its 'options'.`);
}

/** Returns what passes on each message once. */
export function warnOnce(warn: (message: string) => void = (message) => process.emitWarning(message)) {
  const warned = new Set<string>();
  return (message: string): void => {
    if (warned.has(message)) return;
    warned.add(message);
    warn(message);
  };
}

const NOT_INSTALLED =
  "Skills installation requires hermetic isolation: all skills are in the prompt. Pass an IsolationConfig as 'isolation'.";

export const ADAPTER_OPTIONS: OptionTable<ClaudeAgentSDKAdapterOptions> = {
  clientConfig: true,
  isolation: true,
  sdk: true,
  onWarning: true,
};

const CLIENT_OPTIONS: OptionTable<ClaudeAgentSDKClientConfig> = {
  cwd: true,
  model: true,
  permissionMode: true,
  allowedTools: true,
  disallowedTools: true,
  maxTurns: true,
  env: true,
  options: true,
};

export const EVALUATE_OPTIONS: OptionTable<EvaluateOptions> = {
  session: true,
  signal: true,
  enabledSkills: true,
  overrides: true,
  scripts: true,
  onEvent: true,
};

const OPTIONS: OptionTable<EvaluateClaudePromptOptions<unknown>> = {
  ...ADAPTER_OPTIONS,
  ...EVALUATE_OPTIONS,
  prompt: true,
};
