import { resolve } from "node:path";
import { claude } from "../agents/claude.ts";
import { abortWith } from "../core/base/abort-with.ts";
import { SkillError } from "../core/base/errors.ts";
import { NAMES } from "../core/base/limits.ts";
import type { Session } from "../core/session.ts";
import { jsonSchemaOf } from "../core/tool/schema.ts";
import { createTemporaryHome, type TemporaryHome } from "../node/install/hermetic-home.ts";
import { protectSkills } from "../node/install/kept-folder.ts";
import type { PromptEvent } from "../prompt/events.ts";
import type { Prompt } from "../prompt/prompt.ts";
import type { RenderedPrompt } from "../prompt/rendered-prompt.ts";
import type { Names } from "../prompt/section/names.ts";
import type { AnyParams } from "../prompt/section/section.ts";
import {
  type ClaudeAgentSDK,
  type ClaudeMessage,
  type ClaudeResult,
  loadClaudeAgentSDK,
  type ToolUse,
} from "./claude-agent-sdk.ts";
import { type IsolationConfig, writeSettings } from "./isolation-config.ts";
import { mountListedSkills, workspacesOf } from "./listed-skills.ts";
import { type PromptResponse, readResponse } from "./prompt-response.ts";
import { PromptServer } from "./prompt-server.ts";
import { SkillReads } from "./skill-reads.ts";
import { UserMessages } from "./user-messages.ts";

/** How Claude Code is run. */
export interface ClaudeAgentSDKClientConfig {
  /** The agent's working folder; by default the prompt's workspace, or this program's. */
  readonly cwd?: string;
  readonly model?: string;
  /** What the agent may do without asking, in Claude Code's own words; `dontAsk` by default: what is not allowed is refused. */
  readonly permissionMode?: "default" | "acceptEdits" | "bypassPermissions" | "plan" | "dontAsk";
  readonly allowedTools?: readonly string[];
  readonly disallowedTools?: readonly string[];
  readonly maxTurns?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Any other option of the SDK's `query`, as it is. */
  readonly options?: Readonly<Record<string, unknown>>;
}

export interface ClaudeAgentSDKAdapterOptions {
  readonly clientConfig?: ClaudeAgentSDKClientConfig;
  /** A home of its own for each evaluation; without one nothing can be installed. */
  readonly isolation?: IsolationConfig;
  /** The SDK, where this package does not find it by itself. */
  readonly sdk?: ClaudeAgentSDK;
  /** Told what is worth a word to the operator; a warning of the process by default. */
  readonly onWarning?: (message: string) => void;
}

export interface EvaluateOptions {
  /** The conversation that the events are about; in a `Session`, skills that the agent reads and opens become active. */
  readonly session?: Session | { readonly id: string };
  readonly signal?: AbortSignal;
  /** Only these skills; all by default. */
  readonly enabledSkills?: Names;
  readonly overrides?: Readonly<Record<string, string>>;
  /** Told of skills that are installed, expanded and activated, and of everything that the agent says. */
  readonly onEvent?: (event: ClaudeEvent) => unknown;
}

/** What happens in an evaluation. */
export type ClaudeEvent = PromptEvent | { readonly type: "AgentMessage"; readonly message: ClaudeMessage };

/** Evaluates prompts with Claude Code, through the Claude Agent SDK. */
export class ClaudeAgentSDKAdapter {
  readonly #config: ClaudeAgentSDKClientConfig;
  readonly #isolation: IsolationConfig | undefined;
  readonly #sdk: ClaudeAgentSDK | undefined;
  readonly #onWarning: (message: string) => void;
  readonly #warned = new Set<string>();

  constructor({ clientConfig = {}, isolation, sdk, onWarning }: ClaudeAgentSDKAdapterOptions = {}) {
    const { options = {} } = clientConfig;
    const twice = ["cwd", "env", "model", "permissionMode", "allowedTools", "disallowedTools", "maxTurns"].find(
      (name) => name in options,
    );
    if (twice !== undefined)
      throw new SkillError("option-invalid", `'${twice}' goes into 'clientConfig' itself, not into its 'options'.`);
    this.#sdk = sdk;
    this.#config = clientConfig;
    this.#isolation = isolation;
    this.#onWarning = onWarning ?? ((message) => process.emitWarning(message));
  }

  /** Asks the agent, and gives its answer; everything that was made for it is gone afterwards. */
  async evaluate<Output>(
    prompt: Prompt<AnyParams, Output>,
    options: EvaluateOptions = {},
  ): Promise<PromptResponse<Output>> {
    const { signal } = options;
    signal?.throwIfAborted();
    const sdk = this.#sdk ?? (await loadClaudeAgentSDK());
    const home = await this.#makeHome(options);
    try {
      const rendered = await this.#render(prompt, home, options);
      signal?.throwIfAborted();
      const workspaces = workspacesOf(prompt);
      for (const workspace of workspaces) await workspace.open({ signal });
      const cwd = resolve(this.#config.cwd ?? workspaces[0]?.tempDir ?? ".");
      await mountListedSkills(prompt, cwd, { warn: (message) => this.#warn(message), signal });
      return await this.#ask(sdk, prompt, rendered, { home, cwd }, options);
    } catch (error) {
      // Whatever went wrong after that is because of it.
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
      // What the prompt brings is still to come.
      readOnly: false,
      env: { ...apiVariables(), ...env },
      ...(configDir !== undefined && { keep: { CLAUDE_CONFIG_DIR: configDir } }),
      signal,
    });
  }

  /** Installs what the agent can have in its own way, and renders the rest. */
  async #render(prompt: Prompt, home: TemporaryHome | undefined, options: EvaluateOptions): Promise<RenderedPrompt> {
    const { session, signal, enabledSkills, overrides, onEvent } = options;
    const shared = { enabledSkills, overrides };
    if (home === undefined || this.#isolation === undefined) {
      const rendered = prompt.render(shared);
      if (rendered.skills.length > 0) this.#warn(NOT_INSTALLED);
      return rendered;
    }
    const { skillsDir } = home;
    const events = { session, onEvent, signal };
    const installed = this.#isolation.installSkills
      ? (await prompt.installAllSkills({ ...shared, ...events, skillsDir })).names
      : [];
    protectSkills(skillsDir);
    writeSettings(home.home, this.#isolation, skillsDir);
    return prompt.render({ ...shared, installed });
  }

  /** The same words once. */
  #warn(message: string): void {
    if (this.#warned.has(message)) return;
    this.#warned.add(message);
    this.#onWarning(message);
  }

  async #ask<Output>(
    sdk: ClaudeAgentSDK,
    { template }: Prompt<AnyParams, Output>,
    rendered: RenderedPrompt,
    { home, cwd }: Surroundings,
    { session, signal, onEvent = () => {} }: EvaluateOptions,
  ): Promise<PromptResponse<Output>> {
    const tell = (event: ClaudeEvent): void => {
      try {
        void Promise.resolve(onEvent(event)).catch(() => {});
      } catch {}
    };
    const server = new PromptServer(rendered, { onEvent: tell, session });
    const reads = new SkillReads(template.sections, { skillsDir: home?.skillsDir, session, onEvent: tell });
    const messages = new UserMessages(rendered.text);
    const abort = new AbortController();
    const unlink = abortWith(signal, abort);
    // Claude Code knows the dialect, but not its address.
    const { $schema: _, ...schema } = jsonSchemaOf(template.output) ?? {};
    try {
      const query = sdk.query({
        prompt: messages,
        options: {
          ...this.#queryOptions({ home, cwd }, !server.isEmpty),
          abortController: abort,
          ...(!server.isEmpty && {
            mcpServers: {
              ...this.#servers(),
              [NAMES.promptServer]: { type: "sdk", name: NAMES.promptServer, instance: server.mcp },
            },
          }),
          ...(template.output !== undefined && { outputFormat: { type: "json_schema", schema } }),
          hooks: this.#hooks(async (use) => {
            await reads.note(use);
            // The agent offers new tools from its next turn on, so that this one ends here.
            return server.hasNews ? { continue: false, stopReason: "sections were opened" } : {};
          }),
        },
      });
      let result: ClaudeResult | undefined;
      for await (const message of query as AsyncIterable<ClaudeMessage>) {
        tell({ type: "AgentMessage", message });
        if (message.type !== "result") continue;
        if (server.takeNews()) messages.say("The sections are open now, and their tools are on offer. Go on.");
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
      throw new SkillError("agent-failed", `Claude Code failed: ${(error as Error).message}`, { cause: error });
    } finally {
      unlink();
      messages.end();
      await server.mcp.close().catch(() => {});
    }
  }

  /** The caller's own hooks stay; ours come behind them. */
  #hooks(afterUse: (use: ToolUse) => Promise<object>): object {
    const given = (this.#config.options?.hooks ?? {}) as Record<string, readonly object[] | undefined>;
    const policy = this.#isolation?.networkPolicy;
    const beforeFetch = { matcher: "WebFetch", hooks: [async (use: ToolUse) => policy?.decide(use.tool_input) ?? {}] };
    return {
      ...given,
      ...(policy && { PreToolUse: [...(given.PreToolUse ?? []), beforeFetch] }),
      PostToolUse: [...(given.PostToolUse ?? []), { hooks: [afterUse] }],
    };
  }

  #servers(): object {
    return (this.#config.options?.mcpServers as object | undefined) ?? {};
  }

  #queryOptions({ home, cwd }: Surroundings, hasServer: boolean): object {
    const {
      model,
      permissionMode = "dontAsk",
      allowedTools = [],
      disallowedTools,
      maxTurns,
      env = {},
      options,
    } = this.#config;
    return {
      ...options,
      cwd,
      permissionMode,
      ...(permissionMode === "bypassPermissions" && { allowDangerouslySkipPermissions: true }),
      // Our own tools need no permission, and neither do skills.
      allowedTools: [...allowedTools, ...(hasServer ? [`mcp__${NAMES.promptServer}`] : []), "Skill"],
      ...(disallowedTools && { disallowedTools: [...disallowedTools] }),
      model,
      maxTurns,
      ...(home !== undefined && { settingSources: ["user"] }),
      env: { ...(home === undefined ? process.env : home.env), ...claude.acp.env, ...env },
    };
  }
}

/** Where the agent is at home and at work. */
interface Surroundings {
  readonly home: TemporaryHome | undefined;
  readonly cwd: string;
}

const NOT_INSTALLED =
  "Skills installation requires hermetic isolation: all skills are in the prompt. Give the adapter an IsolationConfig.";

/** Without these an agent in a home of its own could ask no model. */
function apiVariables(): Record<string, string | undefined> {
  const names = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "CLAUDE_CODE_OAUTH_TOKEN"];
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}
