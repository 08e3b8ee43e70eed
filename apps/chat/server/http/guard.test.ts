import { expect, test } from "vitest";
import { openChat } from "../testing/open-chat.ts";
import { checkReach, reachWarnings } from "./guard.ts";

const server = (host: string, allowedHosts: readonly string[] = []) => ({
  port: 0,
  host,
  allowedHosts,
  trustedProxies: [],
});

test("S16: the chat listens to other machines only with a token, and on all addresses only with host names", () => {
  for (const host of ["127.0.0.1", "localhost", "::1"]) checkReach(server(host), false, "ADMIN_TOKEN");
  for (const host of ["0.0.0.0", "::", "192.168.1.2", "example.com"]) {
    expect(() => checkReach(server(host, ["chat.example"]), false, "ADMIN_TOKEN")).toThrow("Set ADMIN_TOKEN");
  }
  for (const host of ["0.0.0.0", "::"]) {
    expect(() => checkReach(server(host), true, "ADMIN_TOKEN")).toThrow("'server.allowed_hosts'");
  }
  for (const host of ["192.168.1.2", "example.com"]) checkReach(server(host), true, "ADMIN_TOKEN");
  checkReach(server("0.0.0.0", ["chat.example"]), true, "ADMIN_TOKEN");
});

test("S16: an operator is warned that the token does not protect chats from other machines", () => {
  expect(reachWarnings(server("127.0.0.1"), "ADMIN_TOKEN")).toEqual([]);
  expect(reachWarnings(server("0.0.0.0"), "ADMIN_TOKEN")).toEqual([
    expect.stringMatching(
      /anyone who can reach '0\.0\.0\.0' can read, write and delete all chats.*ADMIN_TOKEN protects only/,
    ),
  ]);
});

test.each(["x-forwarded-for", "x-forwarded-host", "forwarded"])(
  "S16: a request with %s is refused unless the settings name the proxy, because everybody behind it could run scripts",
  async (name) => {
    const headers = { host: "127.0.0.1:4173", [name]: "198.51.100.7" };
    const chat = await openChat();
    const refused = await chat.call("GET", "/api/state", undefined, headers);
    expect(refused.status).toBe(421);
    expect(await refused.text()).toContain("'server.allowed_hosts'");
    await chat.call("GET", "/api/state", undefined, headers);
    expect(chat.log.filter(({ event }) => event === "proxy-not-named")).toHaveLength(1);
    const named = await openChat({ config: '[server]\ntrusted_proxies = ["127.0.0.1"]' });
    expect((await named.call("GET", "/api/state", undefined, headers)).status).toBe(200);
  },
);
