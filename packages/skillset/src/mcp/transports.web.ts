import { SkillError } from "../core/base/errors.ts";

export const serveHttp = needsNode("serveHttp()");
export const serveStdio = needsNode("serveStdio()");
export const toNodeHandler = needsNode("toNodeHandler()");

function needsNode(what: string): () => never {
  return () => {
    const message = `${what} needs Node, and this program runs without it. Use server.fetch() of createSkillsServer().`;
    throw new SkillError("option-invalid", message);
  };
}
