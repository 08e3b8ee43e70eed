export { BUNDLED_SKILLS } from "../bundled-skills/bundled-skills.ts";
export { SkillInstallationError } from "../core/base/errors.ts";
export type { HomeAgent, HomeAgentName, OtherAgent } from "./install/agent-homes.ts";
export { type InstallItem, type InstallSkillsOptions, installSkills } from "./install/install-skills.ts";
export { createTemporaryHome, type TemporaryHome, type TemporaryHomeOptions } from "./install/temporary-home.ts";
export { type FolderSource, optionalFolders, type StandardFoldersOptions } from "./load/sources.ts";
export type { Hunk, LineChange } from "./repair/diff-lines.ts";
export { applyFix, planFixes, type SkillFix } from "./repair/fix.ts";
export { type TrustRecord, TrustStore } from "./trust/trust.ts";
