import { Hono } from "hono";
import { expect, test } from "vitest";
import { createClientAddress } from "./client-address.ts";

async function seen(peer: string | undefined, forwarded?: string, trusted: readonly string[] = []): Promise<string> {
  const addressOf = createClientAddress(trusted);
  const app = new Hono().get("/", (c) => c.text(addressOf(c)));
  const headers: Record<string, string> = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  const environment = { incoming: { socket: { remoteAddress: peer } } };
  return (await app.request("/", { headers }, environment)).text();
}

test("a client is identified by its connection, not by its headers", async () => {
  expect(await seen("192.0.2.7")).toBe("192.0.2.7");
  expect(await seen("::ffff:192.0.2.7")).toBe("192.0.2.7");
  expect(await seen("192.0.2.7", "198.51.100.1")).toBe("192.0.2.7");
  expect(await seen(undefined, "198.51.100.1")).toBe("unknown");
});

test.each([
  ["10.0.0.5", "198.51.100.1", "198.51.100.1"],
  ["10.0.0.5", "203.0.113.9, 198.51.100.1", "198.51.100.1"],
  ["10.0.0.5", "203.0.113.9, 198.51.100.1, 10.9.9.9", "198.51.100.1"],
  ["10.0.0.5", "not an address", "10.0.0.5"],
  ["10.0.0.5", "", "10.0.0.5"],
  ["::1", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
])("behind a trusted proxy at %s, '%s' is %s", async (peer, forwarded, client) => {
  expect(await seen(peer, forwarded, ["10.0.0.0/8", "::1"])).toBe(client);
});

test("all addresses of one IPv6 network count as one client", async () => {
  expect(await seen("2001:db8::1")).toBe("2001:db8:0:0::/64");
  expect(await seen("2001:db8::ffff:1:2:3")).toBe("2001:db8:0:0::/64");
  expect(await seen("fe80::1%eth0")).toBe("fe80:0:0:0::/64");
});
