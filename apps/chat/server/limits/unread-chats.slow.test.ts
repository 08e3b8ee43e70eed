import type { AddressInfo } from "node:net";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { createChatServer } from "../start.ts";
import { openChat } from "../testing/open-chat.ts";

const MB = 1024 * 1024;

test("S19: a client that does not read large chats is refused more of them, and can continue when it has read them", async () => {
  const chat = await openChat({ script: [{ say: "More." }] });
  const id = await chat.create();
  await chat.say(id, "Go");
  await chat.services.database.queries.execute(sql`UPDATE messages SET parts = jsonb_build_array(
    jsonb_build_object('type', 'text', 'text', repeat('x', ${20 * MB}::int))) WHERE role = 'assistant'`);
  const server = createChatServer(chat.app.fetch);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/chats/${id}`;
  const headers = { "accept-encoding": "identity" };
  const responses = await Promise.all(Array.from({ length: 6 }, () => fetch(url, { headers })));
  const refused = responses.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(3);
  for (const response of responses) await response.arrayBuffer();
  await expect.poll(async () => (await fetch(url, { headers })).status).toBe(200);
});
