import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { SkillsConnection, SkillsServer } from "../server/skills-server.ts";
import { checkServer } from "./check-server.ts";
import { reserveStdout } from "./reserve-stdout.ts";

/**
 * Serves the parent process over stdin and stdout until it closes stdin or exits. All other output goes to stderr,
 * because stdout carries only the protocol.
 *
 * @example
 * ```ts
 * import { createSkillset } from "skillset";
 * import { createSkillsServer, serveStdio } from "skillset/mcp";
 *
 * const server = createSkillsServer(await createSkillset(["./skills"]));
 * const connection = await serveStdio(server);
 * await connection.closed;
 * ```
 */
export async function serveStdio(server: SkillsServer): Promise<SkillsConnection> {
  checkServer("serveStdio()", server, ["connect", "fetch"]);
  const { wire, release } = reserveStdout();
  const transport = new StdioServerTransport(process.stdin, wire);
  const connection = await server.connect(transport, { showDirectory: true }).catch((error: unknown) => {
    release();
    throw error;
  });
  // Another process may hold the write end of stdin open, so its end may never arrive.
  const parent = process.ppid;
  const watch = setInterval(() => void (process.ppid !== parent && connection.close()), 1_000).unref();
  void connection.closed.then(() => {
    clearInterval(watch);
    release();
  });
  return connection;
}
