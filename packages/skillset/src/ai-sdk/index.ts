export { compactMessages } from "./compact-messages.ts";
export { type Chat, type CreateChatOptions, createChat, type SendOptions } from "./create-chat.ts";
export { type EndedStep, endedEarly } from "./ended-early.ts";
export { type SkillTools, type WithSkills, type WithSkillsOptions, withSkills } from "./with-skills.ts";
