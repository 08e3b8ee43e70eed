import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { runMessages } from "../anthropic/index.ts";
import { createSkillset } from "../index.ts";
import { runChat, runResponses } from "../openai/index.ts";
import { loadPeer, type PeerVersions } from "./load-peer.ts";

const versions: PeerVersions = { name: "tea", range: "^7.0.0", install: "7" };
const features = ["brew", "cups.fill"];
const brew = () => {};
const MISSING = "no-such-tea";

test("a package with all features is loaded, whatever its version says", async () => {
  const module = { brew, cups: { fill: brew } };
  expect(await loadPeer("tea", async () => module, { versions, features })).toBe(module);
});

test.each<[string, object, string]>([
  ["a function", { cups: { fill: brew } }, "brew"],
  ["a function of an object", { brew, cups: {} }, "cups.fill"],
  ["an object", { brew }, "cups.fill"],
])("a package without %s is refused with its name, the range and the fix", async (_what, module, missing) => {
  await expect(loadPeer("tea", async () => module, { versions, features })).rejects.toMatchObject({
    name: "SkillError",
    code: "peer-unsupported",
    message:
      `The installed 'tea' has no '${missing}'. This version of 'tea' is not supported: ` +
      `skillset needs ^7.0.0. Run "npm install tea@7".`,
  });
});

test.each<[string, () => Promise<object>, string]>([
  ["an ES module", () => import(/* @vite-ignore */ MISSING), "ERR_MODULE_NOT_FOUND"],
  ["CommonJS", async () => createRequire(import.meta.url)(MISSING), "MODULE_NOT_FOUND"],
])("a package that %s does not find is an error with the version to install", async (_kind, load, code) => {
  const message = `The package '${MISSING}' is not installed. Run "npm install ${MISSING}@7".`;
  const loading = loadPeer(MISSING, load, { versions: { ...versions, name: MISSING, install: "7" } });
  await expect(loading).rejects.toMatchObject({ code: "peer-missing", message, cause: { code } });
});

test("another error of the package is thrown as it is", async () => {
  const broken = new Error("The package is broken.");
  await expect(loadPeer("tea", () => Promise.reject(broken), { versions })).rejects.toBe(broken);
});

test.each<[string, (call: never) => Promise<unknown>, object, string]>([
  ["openai 4", runChat, { chat: { completions: { create: brew } } }, "'client' has no 'chat.completions.stream'"],
  ["openai 4.80", runResponses, { chat: { completions: { create: brew } } }, "'client' has no 'responses.create'"],
  ["openai 4.104", runResponses, { responses: { create: brew, stream: brew } }, "'client' has no 'withOptions'"],
  ["@anthropic-ai/sdk 0.5", runMessages, { completions: { create: brew } }, "'client' has no 'messages.stream'"],
  [
    "@anthropic-ai/sdk 0.39",
    runMessages,
    { messages: { create: brew, stream: brew } },
    "'client' has no 'withOptions'",
  ],
])("a client of %s is refused before a request is sent", async (_version, run, client, message) => {
  const session = await (await createSkillset([])).session();
  const asked = run({ client, session, request: { model: "any", max_tokens: 1, messages: [], input: "Hi." } } as never);
  await expect(asked).rejects.toMatchObject({ code: "peer-unsupported", message: expect.stringContaining(message) });
});
