export type { RuleLevel, SkillsetPluginOptions } from "./options.ts";
export { skillset } from "./plugin.ts";
export { type TurbopackRules, turbopackRules } from "./turbopack-rules.ts";
