import { needsNode } from "../web/needs-node.ts";

export const serveHttp = unavailable("serveHttp()");
export const serveStdio = unavailable("serveStdio()");
export const toNodeHandler = unavailable("toNodeHandler()");

function unavailable(what: string): () => never {
  return () => {
    throw needsNode(what, "Use server.fetch() of createSkillsServer().");
  };
}
