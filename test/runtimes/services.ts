import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, resolve } from "node:path";
import { createSkillset, defineSkill } from "skillset";
import { createSkillsServer, toNodeHandler } from "skillset/mcp";
import { startScriptedModel } from "skillset/testing";

const TYPES: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript" };

/** Serves skills over MCP at `/mcp`, and the built page everywhere else, so that the page needs no other origin. */
export async function startServices() {
  const steep = defineSkill({
    name: "steep",
    description: "Steeps tea.",
    body: "Steep for 3 minutes.",
    files: { "kinds.md": "Green: 2 minutes." },
  });
  const mcp = toNodeHandler(createSkillsServer(await createSkillset([steep])));
  const server = createServer(async (request, response) => {
    if (request.url?.startsWith("/mcp")) return mcp(request, response);
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const file = join(inRuntimes(".out/vite"), path === "/" ? "index.html" : path);
    const content = await readFile(file).catch(() => undefined);
    response.writeHead(content === undefined ? 404 : 200, { "content-type": TYPES[extname(file)] ?? "text/plain" });
    response.end(content);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, mcp: `${origin}/mcp`, close: () => server.close() };
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
