/**
 * An MCP server over stdio for agents that take no other: it passes everything on to the program that started the
 * agent, which listens on this machine, and ends when either side does. It is a text for `node --eval`, because a
 * program that is made by a bundler has no file of it.
 */
const PROGRAM = `// mcp-bridge of skillset
import { connect } from "node:net";
const { SKILLSET_BRIDGE_PORT: port, SKILLSET_BRIDGE_TOKEN: token } = process.env;
const socket = connect(Number(port), "127.0.0.1", () => {
  socket.write(token + "\\n");
  process.stdin.pipe(socket);
});
socket.pipe(process.stdout);
const end = () => process.exit();
socket.on("close", end).on("error", end);
process.stdin.on("end", end).on("error", end);
process.stdout.on("error", end);`;

/** The arguments that make Node the program between an agent and this process. */
export const BRIDGE_ARGUMENTS: readonly string[] = ["--input-type=module", "--eval", PROGRAM];
