import type { ContractAdapter } from "../../../packages/testing/src/index.ts";
import { acp } from "./acp.ts";
import { aiSdkAgent, aiSdkStream } from "./ai-sdk.ts";
import { anthropic } from "./anthropic.ts";
import { mcp } from "./mcp.ts";
import { openaiChat, openaiResponses } from "./openai.ts";
import { openaiAgents } from "./openai-agents.ts";

/** All adapters of the library, as the contract runs them. */
export const adapters: readonly ContractAdapter[] = [
  aiSdkStream,
  aiSdkAgent,
  openaiResponses,
  openaiChat,
  openaiAgents,
  anthropic,
  mcp,
  acp,
];
