import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
// #region program
import { createSkillset, defineSkill } from "skillset";
import { createSkillsServer, serveHttp } from "skillset/mcp";

const invoices = defineSkill({
  name: "invoices",
  description: "Looks up invoices. Use when the user asks about billing.",
  body: "Call `find` with the invoice's number, then explain what it says.",
  tools: [{ name: "find", description: "Find one invoice", handler: ({ id }) => ({ id, total: 42 }) }],
});
const server = createSkillsServer(await createSkillset([invoices]));

const { url, token, close } = await serveHttp(server); // only on this machine, and only with the token
// or: await serveStdio(server)                        for the program that started this one
// or: app.all("/mcp", (context) => server.fetch(context.req.raw))   in Hono, a worker, or anything with Request
// or: app.all("/mcp", toNodeHandler(server))          in Express, and in node:http
// or: await server.connect(transport)                 any transport of the MCP SDK
// #endregion
const headers = { Authorization: `Bearer ${token}` };
const client = new Client({ name: "example", version: "1.0.0" });
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
const { tools } = await client.listTools();
assert.deepEqual(
  tools.map(({ name }) => name),
  ["activate_skill", "read_skill_file", "call_skill_tool"],
);
assert.match(client.getInstructions() ?? "", /\*\*invoices\*\*/);
const found = await client.callTool({
  name: "call_skill_tool",
  arguments: { skill: "invoices", tool: "find", input: { id: "A-1" } },
});
assert.deepEqual(found.structuredContent, { skill: "invoices", tool: "find", result: { id: "A-1", total: 42 } });
await client.close();
await close();
