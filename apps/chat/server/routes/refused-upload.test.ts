import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { createChatServer } from "../start.ts";
import { emptyDatabase, openChat } from "../testing/open-chat.ts";

afterEach(emptyDatabase);

const MB = 1024 * 1024;

test.each([
  ["its announced size", "max_mb = 4", 413],
  ["the size of all files", "max_mb = 20\ntotal_mb = 1", 507],
])(
  "an upload that is refused for %s gets the reason, even if its client reads only at the end",
  async (_, settings, status) => {
    const chat = await openChat({ config: `[app.attachments]\n${settings}\n` });
    const server = createChatServer(chat.app.fetch);
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1")
      .pause()
      .on("error", () => {});
    onTestFinished(() => void socket.destroy());
    const head = "POST /api/files?name=a.bin HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
    const megabytes = 12;
    socket.write(`${head}Content-Type: application/octet-stream\r\nContent-Length: ${megabytes * MB}\r\n\r\n`);
    for (let sent = 0; sent < megabytes; sent++) {
      await write(socket, new Uint8Array(MB).fill(sent));
      // Slower than the time for which an unread request is read after its response.
      await pause(100);
    }
    let text = "";
    for await (const chunk of socket) text += chunk;
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(text).toContain('"message"');
  },
);

async function write(socket: Socket, bytes: Uint8Array): Promise<void> {
  await new Promise<void>(
    (resolve, reject) => void socket.write(bytes, (error) => (error ? reject(error) : resolve())),
  );
}
