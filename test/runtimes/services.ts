import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, resolve } from "node:path";
import { startScriptedModel } from "@skillset/testing";
import { createSkillset, defineSkill } from "skillset";
import { createSkillsServer, toNodeHandler } from "skillset/mcp";

const TYPES: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript" };

/** Serves skills over MCP, models, and the built page. Pages of other origins may use it too. */
export async function startServices() {
  const steep = defineSkill({
    name: "steep",
    description: "Steeps tea.",
    body: "Steep for 3 minutes.",
    files: { "kinds.md": "Green: 2 minutes." },
  });
  const mcp = toNodeHandler(createSkillsServer(await createSkillset([steep])));
  // They find their place in the history of each request, so all runtimes use the same models.
  const answer = { say: "Ahoy!" };
  const tools = await startScriptedModel([{ call: "activate_skill", input: { name: "greet" } }, answer]);
  const plain = await startScriptedModel([answer]);
  const models: Readonly<Record<string, ScriptedModel>> = { tools, plain };
  const server = createServer(async (request, response) => {
    allowOrigins(request, response);
    if (request.method === "OPTIONS") return response.writeHead(204).end();
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    if (pathname === "/mcp") return mcp(request, response);
    const [, name = "", path = ""] = /^\/models\/(\w+)(\/.*)$/.exec(pathname) ?? [];
    if (models[name] !== undefined) return forward(request, response, models[name].url + path);
    const file = join(inRuntimes(".out/vite"), pathname === "/" ? "index.html" : pathname);
    const content = await readFile(file).catch(() => undefined);
    response.writeHead(content === undefined ? 404 : 200, { "content-type": TYPES[extname(file)] ?? "text/plain" });
    return response.end(content);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async (): Promise<void> => {
    server.close();
    await Promise.all([tools.close(), plain.close()]);
  };
  const faults = () => [...tools.faults, ...plain.faults];
  return { mcp: `${origin}/mcp`, models: `${origin}/models`, faults, close };
}

function allowOrigins({ headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("access-control-allow-methods", "GET, POST, DELETE");
  response.setHeader("access-control-allow-headers", headers["access-control-request-headers"] ?? "");
  response.setHeader("access-control-expose-headers", "*");
}

function forward(request: IncomingMessage, response: ServerResponse, url: string): void {
  const { method, headers } = request;
  const forwarded = send(url, { ...(method && { method }), headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  forwarded.on("error", () => response.destroy());
  request.pipe(forwarded);
}

export type ScriptedModel = Awaited<ReturnType<typeof startModel>>;

/** A model for the recipes, which activates the skill and answers. */
export function startModel() {
  return startScriptedModel([
    { call: "activate_skill", input: { name: "tea" } },
    { say: "Steep it for three minutes." },
  ]);
}

export function inRuntimes(path: string): string {
  return resolve(import.meta.dirname, path);
}
