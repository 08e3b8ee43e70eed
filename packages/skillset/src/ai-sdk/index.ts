export { compactMessages } from "./compact-messages.ts";
export {
  type Chat,
  type CreateChatOptions,
  type CreateChatRequest,
  createChat,
  type SendOptions,
} from "./create-chat.ts";
export { type EndedStep, endedEarly } from "./ended-early.ts";
export { type EvaluateModelPromptOptions, evaluatePrompt } from "./evaluate-prompt.ts";
export {
  type SkillTools,
  type WithoutSkillsOptions,
  type WithSkills,
  type WithSkillsOptions,
  type WithSkillsRequest,
  withoutSkills,
  withSkills,
} from "./with-skills.ts";
