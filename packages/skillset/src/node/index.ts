export { BUNDLED_SKILLS, DEFAULT_DIRECTORIES } from "./sources.ts";
export { type TrustRecord, TrustStore } from "./trust.ts";
