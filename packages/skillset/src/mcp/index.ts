export { type ServeHttpOptions, type SkillsListener, serveHttp } from "../serving/serve-http.ts";
export type { ApproveSkill, SkillApproval } from "./approvals.ts";
export { type ImportSkillsOptions, importSkills } from "./import-skills.ts";
export { serveStdio } from "./serve-stdio.ts";
export {
  createSkillsServer,
  type SkillsConnection,
  SkillsServer,
  type SkillsServerOptions,
} from "./skills-server.ts";
