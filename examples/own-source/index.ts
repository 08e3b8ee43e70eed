import assert from "node:assert/strict";
// #region program
import { createSkillset, type SkillSource, type SourceEntry } from "skillset";
import { startRegistry } from "./start-registry.ts";

/** Skills of an HTTP registry: `index.json` lists them, and every file has a URL. */
function registry(url: string): SkillSource {
  const send = async (path: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(new URL(path, url), init);
    if (!response.ok && response.status !== 404) throw new Error(`The registry answered ${response.status}.`);
    return response;
  };
  return {
    name: `registry ${new URL(url).hostname}`,
    list: async (options) => (await send("index.json", options)).json() as Promise<SourceEntry[]>,
    read: async (folder, path, options) => {
      const address = [folder, ...path.split("/")].map(encodeURIComponent).join("/");
      const response = await send(address, options);
      return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined;
    },
    fingerprint: async (options) => {
      const { headers } = await send("index.json", { method: "HEAD", ...options });
      return headers.get("etag") ?? undefined;
    },
  };
}

const server = await startRegistry();
const skills = await createSkillset([registry(server.url)]);
const session = await skills.session();
const { text } = await session.activate("tea");
const kinds = await session.files("tea").read("references/kinds.md");
console.log(text, kinds.content);

server.add("coffee", "---\nname: coffee\ndescription: Makes coffee.\n---\nGrind first.\n");
const { changes } = await skills.reload();
console.log(changes.added);
// #endregion
assert.match(text, /See references\/kinds\.md\.[\s\S]*come from registry 127\.0\.0\.1, not from the user/);
assert.equal(kinds.content, "Green: 70 °C. Black: 95 °C.\n");
assert.deepEqual(changes, { added: ["coffee"], removed: [], changed: [] });
await skills.reload();
assert.deepEqual(server.requests.slice(0, 3), ["HEAD index.json", "GET index.json", "GET tea/references/kinds.md"]);
assert.equal(server.requests.at(-1), "HEAD index.json");
server.close();
