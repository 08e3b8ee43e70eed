import assert from "node:assert/strict";
import { startAuthorizationServer } from "../../test/mcp/authorization-server.ts";

const authority = await startAuthorizationServer();
const { issuer } = authority; // in your program, such as "https://login.example.com"

// #region program
import { createSkillset, defineSkill } from "skillset";
import { createSkillsServer, serveHttp } from "skillset/mcp"; // npm install jose

const tea = defineSkill({ name: "tea", description: "Makes tea.", body: "Steep for 3 minutes." });
const audit = defineSkill({ name: "audit", description: "Audits the kitchen.", body: "Count the cups." });
const forAll = createSkillsServer(await createSkillset([tea]));
const forAdmins = createSkillsServer(await createSkillset([tea, audit]));

const { url, close } = await serveHttp(
  {
    fetch: (request, caller) => {
      const isAdmin = caller?.authInfo?.scopes.includes("skills:admin") ?? false;
      return (isAdmin ? forAdmins : forAll).fetch(request, caller); // or choose by `authInfo.extra.subject`
    },
  },
  { oauth: { issuers: [issuer], scopes: ["skills:read"] } },
);
// #endregion

async function listFor(scope: string) {
  const response = await fetch(url, {
    method: "POST",
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "prompts/list" }),
    headers: {
      authorization: `Bearer ${await authority.token({ resource: url, scope })}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
  });
  return { status: response.status, names: (await response.text()).match(/"name":"(tea|audit)"/g)?.length };
}
assert.deepEqual(await listFor("skills:read"), { status: 200, names: 1 });
assert.deepEqual(await listFor("skills:read skills:admin"), { status: 200, names: 2 });
assert.equal((await listFor("skills:admin")).status, 403);
assert.equal((await fetch(url, { method: "POST" })).status, 401);
await close();
await authority.close();
