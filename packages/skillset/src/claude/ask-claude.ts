import { abortWith } from "../core/base/abort-with.ts";
import { SkillError } from "../core/base/errors.ts";
import { NAMES } from "../core/base/limits.ts";
import { sessionOf, sessionsOf } from "../core/conversation-of.ts";
import { jsonSchemaOf } from "../core/tool/schema.ts";
import { wrapSchema } from "../core/tool/wrap-schema.ts";
import { ReadableSkills } from "../prompt/agent/readable-skills.ts";
import type { Prompt } from "../prompt/prompt.ts";
import type { PromptResponse } from "../prompt/prompt-response.ts";
import type { PromptRun } from "../prompt/prompt-run.ts";
import type { ClaudeAgentSDK, ClaudeMessage, ClaudeResult } from "./claude-agent-sdk.ts";
import type { ClaudeEvent, EvaluateClaudePromptOptions } from "./evaluate-prompt.ts";
import { readResponse } from "./prompt-response.ts";
import { PromptServer } from "./prompt-server.ts";
import {
  type ClaudeAgentSDKClientConfig,
  hooksOf,
  queryOptions,
  type Surroundings,
  serversOf,
} from "./query-options.ts";
import { ToolUses } from "./tool-uses.ts";
import { UserMessages } from "./user-messages.ts";

interface AskOptions<Output> extends EvaluateClaudePromptOptions<Output>, Surroundings {
  readonly clientConfig: ClaudeAgentSDKClientConfig;
}

/** Sends a prompt to Claude Code, with our tools and hooks, and returns its answer. */
export async function askClaude<Output>(
  sdk: ClaudeAgentSDK,
  run: PromptRun<Output>,
  { prompt, clientConfig, isolation, home, cwd, session, signal, onEvent = () => {} }: AskOptions<Output>,
): Promise<PromptResponse<Output>> {
  const { template } = prompt;
  const report = (event: ClaudeEvent): void => {
    try {
      void Promise.resolve(onEvent(event)).catch(() => {});
    } catch {}
  };
  const server = new PromptServer(run);
  const { skillsDir, installed } = home ?? {};
  const sessions = sessionsOf([sessionOf(session)]);
  const readable = new ReadableSkills(prompt as Prompt, { skillsDir, installed, sessions, onEvent: report });
  const uses = new ToolUses(readable, skillsDir);
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
        ...queryOptions(clientConfig, { home, cwd }, !server.isEmpty),
        abortController: abort,
        ...(!server.isEmpty && {
          mcpServers: {
            ...serversOf(clientConfig),
            [NAMES.promptServer]: { type: "sdk", name: NAMES.promptServer, instance: server.mcp },
          },
        }),
        ...(template.output !== undefined && { outputFormat: { type: "json_schema", schema } }),
        hooks: hooksOf(clientConfig, isolation?.networkPolicy, {
          beforeUse: uses.hasSession ? async (use) => uses.check(use) : undefined,
          afterUse: async (use) => {
            await uses.note(use);
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
