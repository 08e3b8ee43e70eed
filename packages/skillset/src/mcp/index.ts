export type { ApproveSkill, SkillApproval } from "./approvals.ts";
export { type ImportSkillsOptions, importSkills } from "./import-skills.ts";
export { type ServeHttpOptions, type SkillsListener, serveHttp } from "./serve-http.ts";
export { serveStdio } from "./serve-stdio.ts";
export {
  createSkillsServer,
  type SkillsConnection,
  SkillsServer,
  type SkillsServerOptions,
} from "./skills-server.ts";
