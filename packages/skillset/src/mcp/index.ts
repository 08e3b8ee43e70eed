export type { ApproveSkill, SkillApproval } from "./import/approvals.ts";
export { type ImportSkillsOptions, importSkills } from "./import/import-skills.ts";
export {
  createSkillsServer,
  type SkillsConnection,
  SkillsServer,
  type SkillsServerOptions,
} from "./server/skills-server.ts";
export { type ServeHttpOptions, type SkillsListener, serveHttp } from "./transport/serve-http.ts";
export { serveStdio } from "./transport/serve-stdio.ts";
export { toNodeHandler } from "./transport/to-node-handler.ts";
