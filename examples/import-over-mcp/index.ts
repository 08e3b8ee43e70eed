import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
// #region program
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createSkillset } from "skillset";
import { importSkills } from "skillset/mcp";

const client = new Client({ name: "my-agent", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command: "npx", args: ["skillset", "serve", folder()] }));

const approved = new Set<string>(); // store it to ask only once about the same content
const remote = await importSkills(client, {
  server: "acme",
  approve: async ({ name, digest }) => {
    if (digest === undefined) return false; // the server publishes no digest
    if (!approved.has(digest) && (await askThePerson(`Use the skill '${name}' of acme?`))) approved.add(digest);
    return approved.has(digest);
  },
});
const skills = await createSkillset([remote]); // names of imported skills start with "acme:"
const session = await skills.session();
const { text } = await session.activate("acme:code-review"); // fetched now, and verified
// #endregion
assert.match(text, /come from MCP server 'acme'/);
assert.equal(approved.size, 1);
await client.close();

function folder(): string {
  return fileURLToPath(new URL("../../packages/skillset/skills", import.meta.url));
}

async function askThePerson(_question: string): Promise<boolean> {
  return true;
}
