import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { RequestHandler } from "express";

/** Replace it with your authentication. */
const requireUser: RequestHandler = (request, response, next) => {
  if (request.header("authorization") === "Bearer a-secret") next();
  else response.sendStatus(401);
};

// #region program
import express from "express";
import { createSkillset, defineSkill } from "skillset";
import { createSkillsServer, toNodeHandler } from "skillset/mcp";

const tea = defineSkill({
  name: "tea",
  description: "Makes tea. Use when asked for tea.",
  body: "Steep for 3 minutes.",
});
const server = createSkillsServer(await createSkillset([tea]));

const app = express();
app.use(express.json()); // optional: the handler reads a parsed body as well
app.all("/mcp", requireUser, toNodeHandler(server)); // the handler itself checks no token
// #endregion

const http = app.listen(0, "127.0.0.1");
await once(http, "listening");
const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
assert.equal((await fetch(url, { method: "POST" })).status, 401);
const client = new Client({ name: "example", version: "1.0.0" });
const headers = { Authorization: "Bearer a-secret" };
await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
const { content } = await client.callTool({ name: "activate_skill", arguments: { name: "tea" } });
assert.match(JSON.stringify(content), /Steep for 3 minutes/);
await client.close();
await server.close();
http.closeAllConnections();
http.close();
