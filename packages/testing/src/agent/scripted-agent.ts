import type { AgentApp } from "@agentclientprotocol/sdk";
import { checkOptions, type OptionTable } from "skillset/adapter";
import type { ScriptFault, ScriptStep } from "../model/script.ts";
import { startScriptedModel } from "../model/scripted-model.ts";
import type { ReceivedRequest } from "../wire/model-request.ts";
import type { ModelAgentOptions } from "./model-agent.ts";

export interface ScriptedAgentOptions extends ModelAgentOptions {
  /** Closes the agent when aborted. */
  readonly signal?: AbortSignal;
}

/** An ACP agent that follows a script. */
export interface ScriptedAgent extends AsyncDisposable {
  /** Pass it to `connectAgent`. */
  readonly app: AgentApp;
  /** The requests that its model received. */
  readonly requests: readonly ReceivedRequest[];
  /** Deviations from the script; empty after a good run. */
  readonly faults: readonly ScriptFault[];
  /** Ends its turns, its connections and the processes that it started. */
  close(): Promise<void>;
}

/**
 * Starts an ACP agent in this process, for tests of code that uses `connectAgent`. Agent, protocol, MCP clients and
 * tool calls are real; the script contains the model's answers. Each session plays the script from its first step.
 *
 * @example
 * ```ts
 * import { connectAgent } from "skillset/acp";
 * import { startScriptedAgent } from "@skillset/testing";
 *
 * await using scripted = await startScriptedAgent([{ call: "return_result", input: { total: 7 } }, { say: "Done." }]);
 * await using agent = await connectAgent(scripted.app);
 * const schema = { type: "object", properties: { total: { type: "number" } } };
 * console.log(await agent.think(schema).text("Add 3 and 4.").run());
 * ```
 */
export async function startScriptedAgent(
  script: readonly ScriptStep[],
  options: ScriptedAgentOptions = {},
): Promise<ScriptedAgent> {
  checkOptions("startScriptedAgent()", options, OPTIONS);
  const { signal, ...rest } = options;
  // Loaded here, because with the SDK it takes longer to load than the rest of the entry point.
  const { ModelAgent } = await import("./model-agent.ts");
  // This agent sends no side requests, and it may have no tools.
  const model = await startScriptedModel(script, { isSide: () => false, signal });
  const agent = new ModelAgent(model.url, rest);
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

const OPTIONS: OptionTable<ScriptedAgentOptions> = {
  mcp: true,
  connects: true,
  asksPermission: true,
  announces: true,
  signal: true,
};
