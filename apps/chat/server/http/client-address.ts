import { BlockList, isIP } from "node:net";
import type { Context } from "hono";

/** Identifies a client by its IP address, or for IPv6 by its /64 network. */
export type ClientAddress = (c: Context) => string;

/** `X-Forwarded-For` is trusted only from these proxies, because any client can send it. */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusted = new BlockList();
  for (const proxy of trustedProxies) {
    const [address = "", bits] = proxy.split("/");
    if (bits === undefined) trusted.addAddress(address, familyOf(address));
    else trusted.addSubnet(address, Number(bits), familyOf(address));
  }
  return (c) => {
    const { incoming } = (c.env ?? {}) as { incoming?: { socket: { remoteAddress?: string } } };
    const peer = plain(incoming?.socket.remoteAddress ?? "");
    if (isIP(peer) === 0) return "unknown";
    const forwarded = (c.req.header("x-forwarded-for") ?? "").split(",").map((one) => plain(one.trim()));
    let client = peer;
    // Each proxy appends the address of its client.
    while (isIP(client) !== 0 && trusted.check(client, familyOf(client)) && forwarded.length > 0) {
      const next = forwarded.pop() ?? "";
      if (isIP(next) === 0) break;
      client = next;
    }
    return isIP(client) === 6 ? networkOf(client) : client;
  };
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

/** Converts an IPv4 address from an IPv6 socket to its plain form. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}

/** The first 64 bits: a client with one such address has all of them. */
function networkOf(address: string): string {
  const [, parts = ""] = /^\[(.*)\]$/.exec(new URL(`http://[${address.split("%")[0]}]`).hostname) ?? [];
  const [before = "", after] = parts.split("::");
  const [head, tail] = [before, after ?? ""].map((half) => half.split(":").filter(Boolean)) as [string[], string[]];
  const zeros = Array<string>(after === undefined ? 0 : 8 - head.length - tail.length).fill("0");
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(":")}::/64`;
}
