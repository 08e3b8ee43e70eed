/**
 * A stdio MCP server for agents that support no other transport. It forwards everything to the process that started the
 * agent, which listens on loopback, and exits when either side closes. It is passed to `node --eval` as a string,
 * because a bundled program has no file to run.
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

/** The arguments that make Node run the bridge program. */
export const BRIDGE_ARGUMENTS: readonly string[] = ["--input-type=module", "--eval", PROGRAM];
