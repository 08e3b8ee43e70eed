export type { FunctionTool, RunOptions } from "../tools/model-loop.ts";
export { type AgentSkills, type AgentSkillsOptions, withAgentSkills } from "./agents.ts";
export { compactChatMessages, compactResponseInput } from "./compact-messages.ts";
export { type ChatRun, runChat } from "./run-chat.ts";
export { type ResponsesRun, runResponses } from "./run-responses.ts";
