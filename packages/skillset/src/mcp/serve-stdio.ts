import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { reserveStdout } from "./reserve-stdout.ts";
import type { SkillsConnection, SkillsServer } from "./skills-server.ts";

/**
 * Serves the program that started this one, over stdin and stdout, until it closes stdin or ends. What anyone else
 * prints goes to stderr meanwhile: stdout carries the protocol alone.
 */
export async function serveStdio(server: SkillsServer): Promise<SkillsConnection> {
  const { wire, release } = reserveStdout();
  const transport = new StdioServerTransport(process.stdin, wire);
  const connection = await server.connect(transport, { showDirectory: true }).catch((error: unknown) => {
    release();
    throw error;
  });
  // Someone else may hold the other end of stdin, so that its end is never seen.
  const parent = process.ppid;
  const watch = setInterval(() => void (process.ppid !== parent && connection.close()), 1_000).unref();
  void connection.closed.then(() => {
    clearInterval(watch);
    release();
  });
  return connection;
}
