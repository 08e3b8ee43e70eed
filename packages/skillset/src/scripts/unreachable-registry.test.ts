import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cacheFolder } from "../../../../test/packages/cache-folder.ts";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { createSkillset } from "../node/load/create-skillset.ts";
import { bubblewrap } from "./runners/bubblewrap.ts";

const hasSandbox = (await bubblewrap().check()) === undefined;

/** An address at which nothing listens. */
async function emptyAddress(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return `http://127.0.0.1:${port}/`;
}

test.skipIf(!hasSandbox).each([
  ["pip", "pythonIndex", { "tea/requirements.txt": "words\n" }],
  ["npm", "npmRegistry", { "tea/package.json": '{"dependencies":{"loud":"1"}}' }],
])("a registry that %s cannot reach is the reason, not the package", async (_, option, files) => {
  const folder = temporaryFolder({ "tea/SKILL.md": skillMd("tea"), ...files });
  const packages = { folder: cacheFolder(), [option]: await emptyAddress() };
  const scripts = { runner: "bubblewrap", packages, consent: () => "once" as const } as const;
  const session = await (await createSkillset([join(folder, "tea")], { scripts })).session();
  expect(await session.scripts.prepare("tea")).toMatchObject({
    outcome: "failed",
    reason:
      "The registry could not be reached: this machine has no connection to 127.0.0.1. Check the network, or set another registry.",
  });
});
