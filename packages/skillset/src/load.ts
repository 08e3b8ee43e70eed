// Loading as the main entry point offers it. The builds for browsers and workers use load.web.ts instead.
export { type CreateSkillsetOptions, createSkillset } from "./node/load/create-skillset.ts";
export { type SkillInput, standardFolders } from "./node/load/sources.ts";
