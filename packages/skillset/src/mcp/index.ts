export type { ApproveSkill, SkillApproval } from "./import/approvals.ts";
export { type ConnectHttpOptions, connectHttp } from "./import/connect-http.ts";
export { type ImportSkillsOptions, importSkills } from "./import/import-skills.ts";
export {
  createSkillsServer,
  type SkillsConnection,
  SkillsServer,
  type SkillsServerOptions,
} from "./server/skills-server.ts";
export { type OAuthOptions, requireOAuth, type VerifiedToken, type VerifyToken } from "./transport/require-oauth.ts";
export {
  type OAuthListener,
  type ServeHttpOptions,
  type SkillsListener,
  serveHttp,
  serveStdio,
  toNodeHandler,
} from "./transports.ts";
