import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ScriptStep } from "@skillset/testing";
import { afterEach, expect, test } from "vitest";
import { skillMd } from "../../../../test/temporary-folder.ts";
import { emptyDatabase, openChat, type TestChat } from "../testing/open-chat.ts";

afterEach(emptyDatabase);

const PNG = new Uint8Array(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mOQSgvBihiGlgQAp3Q1AYFye1kAAAAASUVORK5CYII=",
    "base64",
  ),
);
const FILES = {
  ".skills/tea/SKILL.md": skillMd("tea", "Makes tea."),
  ".skills/tea/assets/leaf.png": PNG,
  ".skills/tea/assets/leaf.pdf": Buffer.from("%PDF-1.7\n\0", "latin1"),
  ".skills/tea/assets/wrong.png": "<script>alert(1)</script>",
  ".skills/tea/assets/leaf.svg": "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
  '.skills/tea/assets/a"; filename=b.html': new Uint8Array([0, 1, 2]),
};
const READ: ScriptStep = { call: "skills_read_resource", input: { name: "tea", path: "assets/leaf.png" } };

/** Opens a chat in which the model has read the picture. */
async function openRead(script: readonly ScriptStep[]) {
  const chat = await openChat({ files: FILES, script: [READ, { say: "A leaf." }, ...script], pace: "global" });
  const id = await chat.create();
  const { last } = await chat.say(id, "Show me.");
  return { chat, id, last };
}

const imagesOf = (chat: TestChat, request: number) => chat.model.requests.at(request)?.files.map(({ bytes }) => bytes);
const outputOf = (message: { readonly parts: readonly object[] } | undefined) =>
  message?.parts.find((part) => "output" in part) as { output: Record<string, unknown> } | undefined;

test("a model that takes files gets a picture, also in later turns, and it is stored without its bytes", async () => {
  const { chat, id, last } = await openRead([{ say: "Still a leaf." }]);
  expect(imagesOf(chat, 1)).toEqual([PNG]);
  expect(outputOf(last)?.output).toMatchObject({
    isError: false,
    text: `'assets/leaf.png' follows as a file (image/png, ${PNG.length} bytes).`,
    data: { skill: "tea", path: "assets/leaf.png", mediaType: "image/png", bytes: PNG.length, changed: false },
    files: [{ skill: "tea", path: "assets/leaf.png", mediaType: "image/png", bytes: PNG.length }],
  });
  const stored = JSON.stringify(await chat.services.chats.messages(id));
  expect(stored).not.toContain("iVBOR");
  expect(stored).not.toContain('"137"');
  expect(stored).not.toContain('"data":[');
  await chat.say(id, "What is it?");
  expect(imagesOf(chat, 2)).toEqual([PNG]);
  expect(chat.model.faults).toEqual([]);
});

test("a picture that has changed is not sent again, and its card says so", async () => {
  const { chat, id } = await openRead([{ say: "Gone." }, { say: "Gone." }]);
  writeFileSync(join(chat.project, ".skills/tea/assets/leaf.png"), Buffer.concat([PNG, Buffer.from("more")]));
  await chat.say(id, "What is it?");
  expect(imagesOf(chat, 2)).toEqual([]);
  expect(chat.model.requests[2]?.toolResults[0]?.text).toContain("it has changed, or no longer exists");
  const part = async () => outputOf((await chat.load(id)).messages[1])?.output.data;
  expect(await part()).toMatchObject({ changed: true });
  rmSync(join(chat.project, ".skills/tea/assets/leaf.png"));
  expect(await part()).toMatchObject({ missing: true });
});

test("nothing of a disabled skill is sent, pictures included", async () => {
  const { chat, id } = await openRead([{ say: "Gone." }]);
  await chat.asAdmin("PUT", "/api/skills/tea/switch", { isEnabled: false });
  await chat.say(id, "What is it?");
  expect(imagesOf(chat, 2)).toEqual([]);
  expect(outputOf((await chat.load(id)).messages[1])?.output.data).toMatchObject({ missing: true });
});

test("a model that takes no files gets a sentence instead, also for a picture that another model got", async () => {
  const { chat, id } = await openRead([{ say: "No." }, READ, { say: "No." }]);
  await chat.say(id, "What is it?", { modelId: "scripted/text" });
  expect(imagesOf(chat, 2)).toEqual([]);
  expect(chat.model.requests[2]?.toolResults[0]?.text).toContain(
    "[leaf.png (image/png) cannot be sent to this model.]",
  );
  const { last } = await chat.say(id, "Read it again.", { modelId: "scripted/text" });
  expect(imagesOf(chat, 4)).toEqual([]);
  expect(outputOf(last)?.output).toMatchObject({
    isError: true,
    text: "'assets/leaf.png' is a binary file: binary not supported.",
  });
});

test("a model that takes images but no PDF files gets only a skill's images", async () => {
  const pdf: ScriptStep = { call: "skills_read_resource", input: { name: "tea", path: "assets/leaf.pdf" } };
  const chat = await openChat({ files: FILES, script: [READ, pdf, { say: "A leaf." }], pace: "global" });
  const { last } = await chat.say(await chat.create(), "Show me.", { modelId: "scripted/images" });
  expect(imagesOf(chat, 2)).toEqual([PNG]);
  expect(last.parts).toContainEqual(
    expect.objectContaining({
      output: expect.objectContaining({ text: "'assets/leaf.pdf' is a binary file: binary not supported." }),
    }),
  );
});

test("a skill's file is a preview only if its bytes are an image's, and otherwise a download that cannot run", async () => {
  const chat = await openChat({ files: FILES });
  const get = (path: string, more = "") =>
    chat.call("GET", `/api/skills/tea/raw?path=${encodeURIComponent(path)}${more}`);
  const preview = await get("assets/leaf.png", "&preview");
  expect(new Uint8Array(await preview.arrayBuffer())).toEqual(PNG);
  expect(preview.headers.get("content-type")).toBe("image/png");
  for (const path of ["assets/wrong.png", "assets/leaf.svg", `assets/a"; filename=b.html`]) {
    expect([path, (await get(path, "&preview")).status]).toEqual([path, 415]);
    const { status, headers } = await get(path);
    expect([path, status]).toEqual([path, 200]);
    expect(headers.get("content-type")).toBe("application/octet-stream");
    expect(headers.get("content-disposition")).toMatch(
      /^attachment; filename="[\w.-]*"; filename\*=UTF-8''[\w%.!~-]*$/,
    );
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
  }
  expect((await get("../secret.txt")).status).toBe(403);
  expect((await get("nothing.png")).status).toBe(404);
});
