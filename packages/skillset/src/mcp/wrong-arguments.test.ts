import { expect, test } from "vitest";
import { createSkillset } from "../index.ts";
import { createSkillsServer, importSkills, requireOAuth, serveHttp, serveStdio, toNodeHandler } from "./index.ts";

const skillset = await createSkillset([]);
const server = createSkillsServer(skillset);
const oauth = { issuers: ["https://login.example.com"], resource: "https://skills.example.com/mcp" };
// JavaScript callers pass anything.
const loose = (call: unknown) => call as (...given: unknown[]) => unknown;
const PASS = "Pass a server: createSkillsServer(skillset).";

test.each<[string, () => unknown]>([
  [
    "The option 'oauth' of serveHttp() has no option 'scope'. Did you mean 'scopes'?",
    () => loose(serveHttp)(server, { oauth: { ...oauth, scope: ["a"] } }),
  ],
  [
    "The option 'oauth' of serveHttp() takes an object with options, not null.",
    () => loose(serveHttp)(server, { oauth: null }),
  ],
  [
    "requireOAuth() has no option 'scope'. Did you mean 'scopes'?",
    () => loose(requireOAuth)(server, { ...oauth, scope: ["a"] }),
  ],
  ["'issuers' must list at least one URL of an authorization server.", () => loose(requireOAuth)(server)],
  [
    "The first argument of requireOAuth() needs the method 'fetch'; 'fetch' is missing.",
    () => loose(requireOAuth)(oauth),
  ],
  [
    `The first argument of serveHttp() needs the method 'fetch'; got a skillset. ${PASS}`,
    () => loose(serveHttp)(skillset),
  ],
  [
    "The first argument of serveHttp() needs the method 'fetch'; got a promise: add 'await'.",
    () => loose(serveHttp)(Promise.resolve(server)),
  ],
  [
    "The first argument of serveStdio() needs the methods 'connect' and 'fetch'; got a skillset.",
    () => loose(serveStdio)(skillset),
  ],
  ["The first argument of toNodeHandler() needs the method 'fetch'; got undefined.", () => loose(toNodeHandler)()],
  [
    "The first argument of importSkills() needs the methods 'getServerCapabilities' and 'request'; got a promise: add 'await'.",
    () => loose(importSkills)(Promise.resolve({})),
  ],
])("%s", async (message, call) => {
  const error: unknown = await Promise.resolve()
    .then(call)
    .then(
      () => undefined,
      (reason: unknown) => reason,
    );
  expect(error).toMatchObject({ code: "option-invalid", message: expect.stringContaining(message) });
});
