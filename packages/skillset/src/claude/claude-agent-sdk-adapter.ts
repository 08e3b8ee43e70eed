import { resolve } from "node:path";
import { claude } from "../agents/claude.ts";
import { abortWith } from "../core/base/abort-with.ts";
import { SkillError } from "../core/base/errors.ts";
import { NAMES } from "../core/base/limits.ts";
import type { ScriptOptions } from "../core/script/script-options.ts";
import type { Session } from "../core/session.ts";
import { checkOptions, type OptionTable } from "../core/text/check-options.ts";
import { jsonSchemaOf } from "../core/tool/schema.ts";
import { wrapSchema } from "../core/tool/wrap-schema.ts";
import { protectSkills } from "../node/install/kept-folder.ts";
import { modelVariables } from "../node/install/model-variables.ts";
import { createTemporaryHome, type TemporaryHome } from "../node/install/temporary-home.ts";
import { mountListedSkills, workspacesOf } from "../prompt/listed-skills.ts";
import type { Prompt } from "../prompt/prompt.ts";
import type { PromptResponse } from "../prompt/prompt-response.ts";
import type { PromptRun } from "../prompt/prompt-run.ts";
import type { PromptEvent } from "../prompt/section/events.ts";
import type { Names } from "../prompt/section/names.ts";
import type { AnyParams } from "../prompt/section/section.ts";
import { type ClaudeAgentSDK, type ClaudeMessage, type ClaudeResult, loadClaudeAgentSDK } from "./claude-agent-sdk.ts";
import { type IsolationConfig, writeSettings } from "./isolation-config.ts";
import { readResponse } from "./prompt-response.ts";
import { PromptServer } from "./prompt-server.ts";
import {
  type ClaudeAgentSDKClientConfig,
  hooksOf,
  queryOptions,
  type Surroundings,
  serversOf,
} from "./query-options.ts";
import { SkillReads } from "./skill-reads.ts";
import { UserMessages } from "./user-messages.ts";

/** Options for `ClaudeAgentSDKAdapter`. */
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

/** Options for `evaluate()`. */
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

/**
 * Evaluates prompts with Claude Code through the Claude Agent SDK.
 *
 * @example
 * ```ts
 * import { ClaudeAgentSDKAdapter, IsolationConfig, NetworkPolicy } from "skillset/claude";
 * import { AgentSkillsSection, MarkdownSection, Prompt, PromptTemplate } from "skillset/prompt";
 *
 * const task = new MarkdownSection({ title: "Task", key: "task", template: "Review the code in this folder." });
 * const skills = new AgentSkillsSection({ skillsDir: "./skills" });
 * const prompt = new Prompt(new PromptTemplate({ ns: "review", key: "code", sections: [task, skills] }));
 *
 * const isolation = new IsolationConfig({ networkPolicy: NetworkPolicy.noNetwork() });
 * const adapter = new ClaudeAgentSDKAdapter({ clientConfig: { allowedTools: ["Read"] }, isolation });
 * const { text } = await adapter.evaluate(prompt);
 * console.log(text);
 * ```
 */
export class ClaudeAgentSDKAdapter {
  readonly #config: ClaudeAgentSDKClientConfig;
  readonly #isolation: IsolationConfig | undefined;
  readonly #sdk: ClaudeAgentSDK | undefined;
  readonly #onWarning: (message: string) => void;
  readonly #warned = new Set<string>();

  constructor(given: ClaudeAgentSDKAdapterOptions = {}) {
    checkOptions("new ClaudeAgentSDKAdapter()", given, OPTIONS);
    const { clientConfig = {}, isolation, sdk, onWarning } = given;
    checkOptions("'clientConfig'", clientConfig, CLIENT_OPTIONS);
    const { options = {} } = clientConfig;
    const twice = ["cwd", "env", "model", "permissionMode", "allowedTools", "disallowedTools", "maxTurns"].find(
      (name) => name in options,
    );
    if (twice !== undefined)
      throw new SkillError("option-invalid", `Set '${twice}' in 'clientConfig' directly, not in its 'options'.`);
    this.#sdk = sdk;
    this.#config = clientConfig;
    this.#isolation = isolation;
    this.#onWarning = onWarning ?? ((message) => process.emitWarning(message));
  }

  /** Runs the prompt and returns the agent's answer. All temporary files are removed afterwards. */
  async evaluate<Output>(
    prompt: Prompt<AnyParams, Output>,
    options: EvaluateOptions = {},
  ): Promise<PromptResponse<Output>> {
    checkOptions("evaluate()", options, EVALUATE_OPTIONS);
    const { signal } = options;
    signal?.throwIfAborted();
    const sdk = this.#sdk ?? (await loadClaudeAgentSDK());
    const home = await this.#makeHome(options);
    try {
      const run = await this.#start(prompt, home, options);
      signal?.throwIfAborted();
      const workspaces = workspacesOf(prompt);
      for (const workspace of workspaces) await workspace.open({ signal });
      const cwd = resolve(this.#config.cwd ?? workspaces[0]?.tempDir ?? ".");
      await mountListedSkills(prompt, cwd, { warn: (message) => this.#warn(message), signal });
      if (home !== undefined && this.#isolation !== undefined) {
        const readOnly = [home.skillsDir, ...workspaces.flatMap(({ readOnlyPaths }) => readOnlyPaths)];
        writeSettings(home.home, this.#isolation, readOnly);
      }
      return await this.#ask(sdk, prompt, run, { home, cwd }, options);
    } catch (error) {
      // After an abort, every later error is a consequence of it.
      signal?.throwIfAborted();
      throw error;
    } finally {
      await home?.close();
    }
  }

  async #makeHome({ signal }: EvaluateOptions): Promise<TemporaryHome | undefined> {
    if (this.#isolation === undefined) return undefined;
    const { env, configDir } = this.#isolation;
    return createTemporaryHome({
      agent: "claude",
      skills: [],
      // The prompt's skills are installed later.
      readOnly: false,
      env: { ...modelVariables(claude.home), ...env },
      ...(configDir !== undefined && { keep: { CLAUDE_CONFIG_DIR: configDir } }),
      signal,
    });
  }

  /** Installs the skills that the agent can load itself, and renders the rest into the prompt. */
  async #start<Output>(
    prompt: Prompt<AnyParams, Output>,
    home: TemporaryHome | undefined,
    options: EvaluateOptions,
  ): Promise<PromptRun<Output>> {
    const { session, signal, enabledSkills, overrides, onEvent, scripts } = options;
    const shared = { enabledSkills, overrides };
    // Claude Code returns structured output in its own way.
    const onWarning = (message: string): void => this.#warn(message);
    const toolName = (name: string): string => claude.acp.toolName(NAMES.promptServer, name);
    const running = { scripts, session, onEvent, onWarning, toolName, returnTool: false };
    await prompt.checkRequirements({ signal });
    if (home === undefined || this.#isolation === undefined) {
      const run = prompt.start({ ...shared, ...running });
      if (run.rendered.skills.length > 0) this.#warn(NOT_INSTALLED);
      return run;
    }
    const { skillsDir } = home;
    const events = { session, onEvent, signal };
    const installed = this.#isolation.installSkills
      ? (await prompt.installAllSkills({ ...shared, ...events, skillsDir })).names
      : [];
    protectSkills(skillsDir);
    return prompt.start({ ...shared, ...running, installed });
  }

  /** Emits each message once. */
  #warn(message: string): void {
    if (this.#warned.has(message)) return;
    this.#warned.add(message);
    this.#onWarning(message);
  }

  async #ask<Output>(
    sdk: ClaudeAgentSDK,
    { template }: Prompt<AnyParams, Output>,
    run: PromptRun<Output>,
    { home, cwd }: Surroundings,
    { session, signal, onEvent = () => {} }: EvaluateOptions,
  ): Promise<PromptResponse<Output>> {
    const report = (event: ClaudeEvent): void => {
      try {
        void Promise.resolve(onEvent(event)).catch(() => {});
      } catch {}
    };
    const server = new PromptServer(run);
    const reads = new SkillReads(template.sections, { skillsDir: home?.skillsDir, session, onEvent: report });
    const messages = new UserMessages(run.text);
    const abort = new AbortController();
    const unlink = abortWith(signal, abort);
    // Claude Code supports the dialect, but does not recognize its `$schema` URI. Its output is always an object.
    const { $schema: _, ...schema } = wrapSchema(jsonSchemaOf(template.output), NAMES.result);
    let result: ClaudeResult | undefined;
    try {
      const query = sdk.query({
        prompt: messages,
        options: {
          ...queryOptions(this.#config, { home, cwd }, !server.isEmpty),
          abortController: abort,
          ...(!server.isEmpty && {
            mcpServers: {
              ...serversOf(this.#config),
              [NAMES.promptServer]: { type: "sdk", name: NAMES.promptServer, instance: server.mcp },
            },
          }),
          ...(template.output !== undefined && { outputFormat: { type: "json_schema", schema } }),
          hooks: hooksOf(this.#config, this.#isolation?.networkPolicy, {
            beforeUse: reads.hasSession ? async (use) => reads.check(use) : undefined,
            afterUse: async (use) => {
              await reads.note(use);
              // The agent offers new tools from its next turn on, so end this turn.
              return server.hasNews ? { continue: false, stopReason: "Sections were opened" } : {};
            },
          }),
        },
      });
      for await (const message of query as AsyncIterable<ClaudeMessage>) {
        report({ type: "AgentMessage", message });
        if (message.type !== "result") continue;
        if (server.takeNews()) messages.say("The sections are open now, and their tools are available. Continue.");
        else {
          result = message as unknown as ClaudeResult;
          messages.end();
        }
      }
      signal?.throwIfAborted();
      return await readResponse(result, template);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof SkillError) throw error;
      // The SDK also throws after the result of a failed run, which contains more than the error.
      if (result?.is_error) return await readResponse(result, template);
      throw new SkillError("agent-failed", `Claude Code failed: ${(error as Error).message}`, { cause: error });
    } finally {
      unlink();
      messages.end();
      await server.mcp.close().catch(() => {});
    }
  }
}

const NOT_INSTALLED =
  "Skills installation requires hermetic isolation: all skills are in the prompt. Pass an IsolationConfig to the adapter.";

const OPTIONS: OptionTable<ClaudeAgentSDKAdapterOptions> = {
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

const EVALUATE_OPTIONS: OptionTable<EvaluateOptions> = {
  session: true,
  signal: true,
  enabledSkills: true,
  overrides: true,
  scripts: true,
  onEvent: true,
};
