export { BUNDLED_SKILLS } from "../package/bundled-skills.ts";
export type { HomeAgent, HomeAgentName, OtherAgent } from "./install/agent-homes.ts";
export { type HermeticHome, type HermeticHomeOptions, hermeticHome } from "./install/hermetic-home.ts";
export { type InstallItem, type InstallOptions, installSkills } from "./install/install-skills.ts";
export { DEFAULT_DIRECTORIES } from "./load/sources.ts";
export { type TrustRecord, TrustStore } from "./trust/trust.ts";
