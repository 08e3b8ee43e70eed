export type { ApproveSkill, SkillApproval } from "./import/approvals.ts";
export { type ImportSkillsOptions, importSkills } from "./import/import-skills.ts";
export { serveStdio } from "./serve-stdio.ts";
export { type ServeHttpOptions, type SkillsListener, serveHttp } from "./serving/serve-http.ts";
export { toNodeHandler } from "./serving/to-node-handler.ts";
export {
  createSkillsServer,
  type SkillsConnection,
  SkillsServer,
  type SkillsServerOptions,
} from "./skills-server.ts";
