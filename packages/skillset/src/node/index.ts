export type { HomeAgent, HomeAgentName, OtherAgent } from "./agent-homes.ts";
export { type HermeticHome, type HermeticHomeOptions, hermeticHome } from "./hermetic-home.ts";
export { type InstallItem, type InstallOptions, installSkills } from "./install-skills.ts";
export { BUNDLED_SKILLS, DEFAULT_DIRECTORIES } from "./sources.ts";
export { type TrustRecord, TrustStore } from "./trust.ts";
