import { createHash, randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";
import type { Attachment, AttachmentText } from "../../shared/attachments-api.ts";
import { BYTES, PNG, postFile as post, sendFiles, upload } from "../testing/attach.ts";
import { emptyDatabase, openChat, type TestChat } from "../testing/open-chat.ts";

afterEach(emptyDatabase);

const SMALL = "[app.attachments]\nmax_files = 2\nmax_mb = 1\ntotal_mb = 3\n";
const MB = 1024 * 1024;
async function count(chat: TestChat, table: "attachments" | "blobs" | "blob_pieces"): Promise<number> {
  const { rows } = (await chat.services.database.queries.execute(
    sql.raw(`SELECT count(*)::integer AS count FROM ${table}`),
  )) as unknown as { rows: { count: number }[] };
  return rows[0]?.count ?? -1;
}

/** Makes all uploads older than a day. */
async function age(chat: TestChat): Promise<void> {
  for (const table of ["attachments", "blobs"]) {
    await chat.services.database.queries.execute(
      sql.raw(`UPDATE ${table} SET created_at = created_at - interval '25 hours'`),
    );
  }
}

const sweep = (chat: TestChat) => chat.services.attachments?.sweep();

describe("an upload", () => {
  test("is stored by its digest, and comes back byte for byte", async () => {
    const chat = await openChat();
    const content = randomBytes(3 * 128 * 1024 + 17);
    const file = await upload(chat, "../data.bin", content);
    const digest = `sha256:${createHash("sha256").update(content).digest("hex")}`;
    expect(file).toEqual({
      id: expect.any(String),
      name: "data.bin",
      mediaType: "application/octet-stream",
      size: content.length,
      digest,
    });
    const response = await chat.call("GET", `/api/files/${file.id}`);
    expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true);
    expect(response.headers.get("content-length")).toBe(String(content.length));
    expect(await count(chat, "blob_pieces")).toBe(4);
  });

  test.each([
    [-1, 201],
    [0, 201],
    [1, 413],
  ])("of the limit and %i bytes has the status %i", async (more, status) => {
    const chat = await openChat({ config: SMALL });
    expect((await post(chat, "a.bin", new Uint8Array(MB + more))).status).toBe(status);
    // A length that the client does not announce counts as well.
    const body = ReadableStream.from([new Uint8Array(MB), new Uint8Array(Math.max(0, more))]);
    const init = { method: "POST", headers: BYTES, body, duplex: "half" } as RequestInit;
    if (more >= 0) expect((await chat.app.request("/api/files?name=b", init)).status).toBe(status);
    expect(await count(chat, "blobs")).toBe(status === 201 ? 1 : 0);
  });

  test("is refused with a reason when all files together reach the limit, and leaves nothing behind", async () => {
    const chat = await openChat({ config: SMALL });
    for (const one of [1, 2, 3]) await upload(chat, "a.bin", new Uint8Array(MB).fill(one));
    const response = await post(chat, "a.bin", Uint8Array.of(9));
    expect(response.status).toBe(507);
    expect(await response.text()).toContain("total_mb");
    expect([await count(chat, "blobs"), await count(chat, "attachments")]).toEqual([3, 3]);
  });

  test("of the same content is stored once, under both names", async () => {
    const chat = await openChat();
    const [one, two] = [await upload(chat, "a.csv", "x,y\n"), await upload(chat, "b.csv", "x,y\n")];
    expect([one.digest, one.name, two.name]).toEqual([two.digest, "a.csv", "b.csv"]);
    expect([await count(chat, "blobs"), await count(chat, "attachments")]).toEqual([1, 2]);
    const both = await Promise.all([upload(chat, "c.csv", "z\n"), upload(chat, "d.csv", "z\n")]);
    expect(both[0].digest).toBe(both[1].digest);
    expect(await count(chat, "blobs")).toBe(2);
  });

  test("that breaks off leaves nothing behind", async () => {
    const chat = await openChat();
    const broken = new ReadableStream({
      start: (controller) => controller.enqueue(new Uint8Array(MB)),
      pull: (controller) => controller.error(new Error("gone")),
    });
    const init = { method: "POST", headers: BYTES, body: broken, duplex: "half" } as RequestInit;
    expect((await chat.app.request("/api/files?name=b", init)).status).toBe(500);
    expect([await count(chat, "blobs"), await count(chat, "blob_pieces")]).toEqual([0, 0]);
  });

  test("needs a content type that forms cannot send", async () => {
    const chat = await openChat();
    for (const type of ["text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"]) {
      expect((await post(chat, "a", "x", { "content-type": type })).status).toBe(415);
    }
    expect((await post(chat, "a", "{}", { "content-type": "application/json" })).status).toBe(415);
    expect(await count(chat, "blobs")).toBe(0);
  });

  test("that no message has can be removed, and others cannot", async () => {
    const chat = await openChat({ script: [{ say: "Yes." }] });
    const [one, two] = [await upload(chat, "a.txt", "one"), await upload(chat, "b.txt", "two")];
    expect((await chat.call("DELETE", `/api/files/${one.id}`)).status).toBe(204);
    expect((await chat.call("GET", `/api/files/${one.id}`)).status).toBe(404);
    await sendFiles(chat, await chat.create(), [two]);
    expect((await chat.call("DELETE", `/api/files/${two.id}`)).status).toBe(404);
    expect((await chat.call("GET", `/api/files/${two.id}`)).status).toBe(200);
    expect(await count(chat, "blobs")).toBe(1);
  });

  test("is impossible when the settings disable attachments", async () => {
    const chat = await openChat({ config: "[app.attachments]\nenabled = false\n" });
    expect((await post(chat, "a", "x")).status).toBe(404);
    expect(await chat.get("/api/state")).not.toHaveProperty("attachments");
    expect((await sendFiles(chat, await chat.create(), [{ id: "x" }])).text).toContain("attachments-off");
  });
});

describe("a file is served", () => {
  test.each(["page.html", "a.svg", "a.js", "a.xml"])("as a download, never as a page: %s", async (name) => {
    const chat = await openChat();
    const { id } = await upload(chat, name, "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>");
    const { headers } = await chat.call("GET", `/api/files/${id}`);
    expect(headers.get("content-type")).toBe("application/octet-stream");
    expect(headers.get("content-disposition")).toMatch(/^attachment; filename="/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    expect((await chat.call("GET", `/api/files/${id}?preview`)).status).toBe(415);
  });

  test("as a picture only if its content is one", async () => {
    const chat = await openChat();
    const { id } = await upload(chat, "dot.txt", PNG);
    const { headers } = await chat.call("GET", `/api/files/${id}?preview`);
    expect([headers.get("content-type"), headers.get("content-disposition")]).toEqual(["image/png", "inline"]);
    expect(headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    expect((await chat.call("GET", `/api/files/${id}/text`)).status).toBe(415);
  });

  test("with the start of its text, and says if there is more", async () => {
    const chat = await openChat();
    const short = await upload(chat, "a.csv", "a,b\n1,2\n");
    const long = await upload(chat, "b.txt", "x".repeat(64 * 1024 + 1));
    expect(await chat.get<AttachmentText>(`/api/files/${short.id}/text`)).toEqual({ text: "a,b\n1,2\n", isCut: false });
    const { text, isCut } = await chat.get<AttachmentText>(`/api/files/${long.id}/text`);
    expect([text.length, isCut]).toEqual([64 * 1024, true]);
  });

  test("with a name that cannot end its header", async () => {
    const chat = await openChat();
    const { id } = await upload(chat, 'ä"\r\nset-cookie: a=b.txt', "x");
    const response = await chat.call("GET", `/api/files/${id}`);
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(response.headers.get("content-disposition")).toContain("filename*=UTF-8''%C3%A4_set-cookie_");
  });

  test("to nobody while its chat is in the bin", async () => {
    const chat = await openChat({ script: [{ say: "Yes." }] });
    const file = await upload(chat, "a.txt", "one");
    const id = await chat.create();
    await sendFiles(chat, id, [file]);
    await chat.call("DELETE", `/api/chats/${id}`);
    expect((await chat.call("GET", `/api/files/${file.id}`)).status).toBe(404);
    await chat.call("POST", `/api/bin/${id}/restore`);
    expect((await chat.call("GET", `/api/files/${file.id}`)).status).toBe(200);
  });

  test.each(["nothing", "%00", "a%2fb", "x".repeat(200)])("with 404 for the id %s", async (id) => {
    const chat = await openChat();
    expect((await chat.call("GET", `/api/files/${id}`)).status).toBe(404);
  });
});

describe("a message", () => {
  test("can have as many files as the settings say, and no more", async () => {
    const chat = await openChat({ config: SMALL, script: [{ say: "Yes." }] });
    const files = await Promise.all(["a", "b", "c"].map((one) => upload(chat, `${one}.txt`, one)));
    const id = await chat.create();
    const refused = await sendFiles(chat, id, files);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("2 files at most, not 3")]);
    expect((await sendFiles(chat, id, files.slice(0, 2))).status).toBe(200);
  });

  test("stores what the server knows of a file, whatever the page says", async () => {
    const chat = await openChat({ script: [{ say: "Yes." }] });
    const file = await upload(chat, "a.txt", "one");
    const id = await chat.create();
    await sendFiles(chat, id, [{ ...file, name: "../../x", size: 1e9, path: "../x" } as Attachment]);
    const [asked] = (await chat.load(id)).messages;
    expect(asked?.parts[0]).toEqual({ type: "data-attachment", data: { ...file, path: "a.txt" } });
  });

  test("cannot have a file of another chat, or one that does not exist", async () => {
    const chat = await openChat({ script: [{ say: "Yes." }] });
    const file = await upload(chat, "a.txt", "one");
    await sendFiles(chat, await chat.create(), [file]);
    for (const one of [file, { id: "nothing" }]) {
      const { status, text } = await sendFiles(chat, await chat.create(), [one]);
      expect([status, text]).toEqual([409, expect.stringContaining("attachment-gone")]);
    }
    expect((await sendFiles(chat, "nothing", [await upload(chat, "b.txt", "two")])).status).toBe(404);
  });

  test("with only a file is titled with its name", async () => {
    const chat = await openChat({ script: [{ say: "Yes." }] });
    const id = await chat.create();
    const message = {
      id: "m1",
      role: "user",
      parts: [{ type: "data-attachment", data: await upload(chat, "sales.csv", "a,b") }],
    };
    const response = await chat.call("POST", `/api/chats/${id}/turn`, { message, modelId: "scripted/tools" });
    await response.text();
    expect(await chat.load(id)).toMatchObject({ title: "sales.csv", messages: [{ id: "m1" }, { role: "assistant" }] });
  });

  test("is exported with the name, size and digest of its files", async () => {
    const chat = await openChat({ script: [{ say: "Yes." }] });
    const file = await upload(chat, "sales.csv", "a,b");
    const id = await chat.create();
    await sendFiles(chat, id, [file]);
    const markdown = await (await chat.call("GET", `/api/chats/${id}/export`)).text();
    expect(markdown).toContain(`> Attached: \`sales.csv\` (text/csv, 3 bytes, ${file.digest})`);
    expect(await (await chat.call("GET", `/api/chats/${id}/export?format=json`)).text()).toContain(file.digest);
  });
});

test.each(["enabled = false", "max_files = 1"])(
  "with '%s' since, a message can still be answered again and edited with its files",
  async (setting) => {
    const before = await openChat({ script: [{ say: "Yes." }] });
    const files = [await upload(before, "a.txt", "one"), await upload(before, "b.txt", "two")];
    const id = await before.create();
    const { messageId } = await sendFiles(before, id, files);
    const [stored] = (await before.load(id)).messages;
    const chat = await openChat({
      config: `[app.attachments]\n${setting}\n`,
      script: Array(2).fill({ say: "Again." }),
    });
    const send = async (newId: string, ids: readonly string[], text: string) => {
      const parts = [...ids.map((one) => ({ type: "data-attachment", data: { id: one } })), { type: "text", text }];
      const body = { message: { id: newId, role: "user", parts }, modelId: "scripted/tools", replaceFrom: messageId };
      const response = await chat.call("POST", `/api/chats/${id}/turn`, body);
      await response.text();
      return response.status;
    };
    const ids = files.map((file) => file.id);
    expect(await send(messageId, ids, "Look.")).toBe(200);
    expect(await send("more", [...ids, "another"], "Look.")).toBe(400);
    expect(await send("edited", ids, "Look again.")).toBe(200);
    const [edited] = (await chat.load(id)).messages;
    expect(edited?.id).toBe("edited");
    expect(edited?.parts).toEqual([...(stored?.parts.slice(0, 2) ?? []), { type: "text", text: "Look again." }]);
  },
);

describe("the sweep", () => {
  test("removes uploads that were not sent for a day, and keeps those of messages", async () => {
    const chat = await openChat({ script: [{ say: "Yes." }] });
    const [sent, unsent] = [await upload(chat, "a.txt", "one"), await upload(chat, "b.txt", "two")];
    await sendFiles(chat, await chat.create(), [sent]);
    await sweep(chat);
    expect(await count(chat, "attachments")).toBe(2);
    await age(chat);
    await sweep(chat);
    expect([await count(chat, "attachments"), await count(chat, "blobs")]).toEqual([1, 1]);
    expect((await chat.call("GET", `/api/files/${unsent.id}`)).status).toBe(404);
    expect((await chat.call("GET", `/api/files/${sent.id}`)).status).toBe(200);
  });

  test("keeps the files of a message in a hidden branch, and those that an edited message still has", async () => {
    const chat = await openChat({ script: [{ say: "Yes." }, { say: "Again." }] });
    const [old, both] = [await upload(chat, "a.txt", "one"), await upload(chat, "b.txt", "two")];
    const id = await chat.create();
    const { messageId } = await sendFiles(chat, id, [old, both]);
    const text = { type: "text", text: "Look again." };
    const message = { id: "edited", role: "user", parts: [{ type: "data-attachment", data: both }, text] };
    const body = { message, modelId: "scripted/tools", replaceFrom: messageId };
    await (await chat.call("POST", `/api/chats/${id}/turn`, body)).text();
    await age(chat);
    await sweep(chat);
    await chat.call("DELETE", "/api/bin");
    expect((await chat.load(id)).siblings).toEqual({ edited: [messageId, "edited"] });
    for (const file of [old, both]) expect((await chat.call("GET", `/api/files/${file.id}`)).status).toBe(200);
  });

  test("removes the content with the last chat that has it", async () => {
    const chat = await openChat({ script: [{ say: "Yes." }] });
    const ids: string[] = [];
    for (const name of ["a.txt", "b.txt"]) {
      const id = await chat.create();
      await sendFiles(chat, id, [await upload(chat, name, "the same")]);
      await chat.call("DELETE", `/api/chats/${id}`);
      ids.push(id);
    }
    await chat.call("DELETE", `/api/bin/${ids[0]}`);
    expect([await count(chat, "attachments"), await count(chat, "blobs")]).toEqual([1, 1]);
    await chat.call("DELETE", `/api/bin/${ids[1]}`);
    expect([await count(chat, "blobs"), await count(chat, "blob_pieces")]).toEqual([0, 0]);
  });

  test("is not a part of deleting a chat: the files of other chats are left to it", async () => {
    const chat = await openChat({ script: [{ say: "Yes." }] });
    await upload(chat, "unsent.txt", "one");
    await age(chat);
    const id = await chat.create();
    await chat.call("DELETE", `/api/chats/${id}`);
    await chat.call("DELETE", `/api/bin/${id}`);
    expect(await count(chat, "attachments")).toBe(1);
  });
});
