import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSkillset, defineSkill } from "../../packages/skillset/src/index.ts";
import {
  createSkillsServer,
  type OAuthOptions,
  requireOAuth,
  toNodeHandler,
} from "../../packages/skillset/src/mcp/index.ts";

const RESOURCE = "https://skills.example.com/mcp";
const skills = await createSkillset([defineSkill({ name: "tea", description: "Makes tea.", body: "Steep it." })]);
const verified = { audiences: [RESOURCE], scopes: ["skills:read"], expiresAt: 4e9 };
const request = {
  method: "POST",
  headers: {
    authorization: "Bearer opaque",
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
};

const guard = (options: Pick<OAuthOptions, "verifyToken" | "onError">) =>
  requireOAuth(createSkillsServer(skills), {
    issuers: ["https://login.example.com"],
    resource: RESOURCE,
    scopes: ["skills:read"],
    ...options,
  });

/** Sends a request, and returns the response and the errors that the operator sees. */
async function send(verifyToken: () => unknown) {
  const errors: Error[] = [];
  const { fetch: answer } = await guard({
    verifyToken: verifyToken as () => undefined,
    onError: (error) => errors.push(error),
  });
  return { response: await answer(new Request(RESOURCE, request)), errors };
}

describe("a verifier of the program", () => {
  test.each([
    ["a valid token", () => verified, 200],
    ["no token", () => undefined, 401],
    ["another audience", () => ({ ...verified, audiences: [] }), 401],
    ["no scope", () => ({ ...verified, scopes: [] }), 403],
    ["a time that has passed", () => ({ ...verified, expiresAt: 1 }), 401],
    ["no expiry", () => ({ ...verified, expiresAt: undefined }), 401],
    ["an expiry that is not a number", () => ({ ...verified, expiresAt: Number.NaN }), 401],
  ])("that reports %s", async (_, verifyToken, status) => {
    const { response, errors } = await send(verifyToken);
    expect(response.status).toBe(status);
    expect(errors).toEqual([]);
  });

  test("that fails is not the client's fault", async () => {
    const failure = new Error("The database is down.");
    const { response, errors } = await send(() => Promise.reject(failure));
    expect(response.status).toBe(500);
    expect(errors).toEqual([failure]);
  });

  test.each([
    ["no audiences", { ...verified, audiences: undefined }, "'audiences'"],
    ["one audience as a text", { ...verified, audiences: RESOURCE }, "'audiences'"],
    ["an audience that is not a text", { ...verified, audiences: [RESOURCE, 7] }, "'audiences'"],
    ["no scopes", { ...verified, scopes: undefined }, "'scopes'"],
    ["scopes as a text", { ...verified, scopes: "skills:read" }, "'scopes'"],
    ["null", null, "an object or undefined"],
    ["true", true, "an object or undefined"],
  ])("that returns %s gets status 500, and only the operator sees why", async (_, result, named) => {
    const { response, errors } = await send(() => result);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("verifyToken");
    expect(errors).toMatchObject([{ code: "option-invalid", message: expect.stringContaining("'verifyToken'") }]);
    expect(errors[0]?.message).toContain(named);
  });

  test("works behind Node's server, with the metadata", async () => {
    const http = createServer(toNodeHandler(await guard({ verifyToken: () => verified }))).listen(0, "127.0.0.1");
    onTestFinished(() => void http.close());
    await once(http, "listening");
    const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    expect((await fetch(`${origin}/mcp`, request)).status).toBe(200);
    const metadata = await fetch(`${origin}/.well-known/oauth-protected-resource/mcp`);
    expect(await metadata.json()).toMatchObject({ resource: RESOURCE });
  });
});
