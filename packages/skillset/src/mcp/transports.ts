// Transports of a server. The builds for browsers and workers use transports.web.ts instead.
export { type OAuthListener, type ServeHttpOptions, type SkillsListener, serveHttp } from "./transport/serve-http.ts";
export { serveStdio } from "./transport/serve-stdio.ts";
export { toNodeHandler } from "./transport/to-node-handler.ts";
