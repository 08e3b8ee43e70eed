import type { AgentApp } from "@agentclientprotocol/sdk";
import type { ScriptFault, ScriptStep } from "../model/script.ts";
import { startScriptedModel } from "../model/scripted-model.ts";
import type { ReceivedRequest } from "../wire/model-request.ts";
import type { ModelAgentOptions } from "./model-agent.ts";

export interface ScriptedAgentOptions extends ModelAgentOptions {
  /** Closes the agent when it is aborted. */
  readonly signal?: AbortSignal;
}

/** An ACP agent that does what a script says. */
export interface ScriptedAgent extends AsyncDisposable {
  /** What `connectAgent` takes. */
  readonly app: AgentApp;
  /** What its model was sent. */
  readonly requests: readonly ReceivedRequest[];
  /** What did not go as the script says; empty after a good run. */
  readonly faults: readonly ScriptFault[];
  /** Ends its turns, its connections and what it has started. */
  close(): Promise<void>;
}

/**
 * Starts an ACP agent in this process, for tests of code that uses `connectAgent`. Agent, protocol, MCP clients and
 * tool calls are real; what its model answers is in the script. Each session plays the script from its first step.
 */
export async function startScriptedAgent(
  script: readonly ScriptStep[],
  { signal, ...options }: ScriptedAgentOptions = {},
): Promise<ScriptedAgent> {
  // Loaded here: with the SDK, it takes longer to load than the rest of the entry point.
  const { ModelAgent } = await import("./model-agent.ts");
  // This agent asks nothing beside the conversation, and it may well have no tools.
  const model = await startScriptedModel(script, { isSide: () => false, signal });
  const agent = new ModelAgent(model.url, options);
  const close = async (): Promise<void> => {
    signal?.removeEventListener("abort", close);
    await agent.close();
    await model.close();
  };
  signal?.addEventListener("abort", close, { once: true });
  return {
    app: agent.app,
    requests: model.requests,
    faults: model.faults,
    close,
    [Symbol.asyncDispose]: close,
  };
}
