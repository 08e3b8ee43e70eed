import type { ContractEvaluator } from "../../../packages/testing/src/index.ts";
import type { TableColumn } from "../adapters/table.ts";
import { acp } from "./acp.ts";
import { aiSdk } from "./ai-sdk.ts";
import { anthropic } from "./anthropic.ts";
import { openaiChat } from "./openai.ts";
import { CLAUDE, CODEX } from "./real-agents.ts";

/** The evaluators of the library that need no other program, as the contract runs them. */
export const evaluators: readonly ContractEvaluator[] = [openaiChat, anthropic, aiSdk, acp];

/** All evaluators, with the real agents. */
export const tableColumns: readonly TableColumn[] = [...evaluators, CLAUDE, CODEX];
