import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy for clients that cannot send a token: it adds the header, and changes nothing else. */
export async function addToken(target: string, token: string): Promise<{ url: string; close(): Promise<void> }> {
  const { hostname, port, pathname } = new URL(target);
  const door = createServer((incoming, outgoing) => {
    const { method, url: path, rawHeaders } = incoming;
    const headers = [...rawHeaders, "Authorization", `Bearer ${token}`];
    const forwarded = request({ hostname, port, method, path, headers, setHost: false, agent: false }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders);
      response.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    outgoing.on("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(door.address() as AddressInfo).port}${pathname}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => door.close(() => resolve()));
      door.closeAllConnections();
      await closed;
    },
  };
}
