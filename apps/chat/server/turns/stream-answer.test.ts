import { rmSync, writeFileSync } from "node:fs";
import type { ScriptStep } from "@skillset/testing";
import { afterEach, describe, expect, test } from "vitest";
import { skillMd, writeFiles } from "../../../../test/temporary-folder.ts";
import type { ChatMessage } from "../../shared/api.ts";
import { emptyDatabase, openChat, readChunks } from "../testing/open-chat.ts";

const PDF = skillMd("pdf", "Reads PDFs. Use for PDF files.", "# PDF\nBODY-MARKER-PDF\nRead references/a.md.");
const FILES = {
  ".skills/pdf/SKILL.md": PDF,
  ".skills/pdf/references/a.md": "FILE-MARKER-A",
  ".skills/notes/SKILL.md": skillMd("notes", "Takes notes.", "# Notes\nBODY-MARKER-NOTES"),
};
const ACTIVATE = { call: "skills_activate", input: { name: "pdf" } };
const READ = { call: "skills_read_resource", input: { name: "pdf", path: "references/a.md" } };

afterEach(emptyDatabase);

/** Counts a text in the whole request. */
function count(request: unknown, text: string): number {
  return JSON.stringify((request as { body: unknown }).body).split(text).length - 1;
}

function outputOf(message: ChatMessage, type: string) {
  const part = message.parts.find((one) => one.type === type) as {
    output: { text: string; data: Record<string, unknown> };
  };
  return part.output;
}

describe("with tools", () => {
  test("a request has the catalog and rules, and the model activates a skill and reads a file", async () => {
    const chat = await openChat({ files: FILES, script: [ACTIVATE, READ, { say: "Done." }] });
    const id = await chat.create();
    const { chunks, last } = await chat.say(id, "Read my file");
    const [first] = chat.model.requests;
    expect(first?.system).toContain(
      '{"available_skills":[{"name":"notes","description":"Takes notes."},{"name":"pdf","description":"Reads PDFs. Use for PDF files."}]}',
    );
    expect(first?.system).toContain("Call `skills_activate` with the skill's name");
    expect(first?.system).not.toContain(chat.project);
    expect(first?.tools).toEqual(["skills_activate", "skills_read_resource"]);
    expect(count(first, "MARKER")).toBe(0);
    expect(chunks.filter(({ type }) => type === "data-active").map(({ data }) => data)).toEqual([
      [{ name: "pdf", by: "model", tokens: expect.any(Number), isChanged: false, isMissing: false }],
    ]);
    expect(outputOf(last, "tool-skills_activate").data).toMatchObject({ name: "pdf", truncated: false });
    expect(outputOf(last, "tool-skills_activate").data.body).toContain("BODY-MARKER-PDF");
    expect(outputOf(last, "tool-skills_read_resource").data).toMatchObject({
      skill: "pdf",
      path: "references/a.md",
      content: "FILE-MARKER-A",
      truncated: false,
    });
    expect(last.metadata).toEqual({
      createdAt: expect.any(String),
      modelId: "scripted/tools",
      usage: expect.objectContaining({ steps: 3, isEstimate: false }),
    });
    expect(chat.model.faults).toEqual([]);
  });

  test("later requests contain the instructions once, filled in from the skill, and list the active skills", async () => {
    const chat = await openChat({ files: FILES, script: [ACTIVATE, READ, { say: "Done." }, { say: "Again." }] });
    const id = await chat.create();
    await chat.say(id, "Read my file");
    await chat.say(id, "And now?");
    const request = chat.model.requests.at(-1);
    expect(count(request, "BODY-MARKER-PDF")).toBe(1);
    expect(count(request, "FILE-MARKER-A")).toBe(1);
    expect(request?.system).not.toContain("activated_skill_names");
    expect(request?.messages.at(-1)?.text).toMatch(/activated_skill_names\): pdf\.[\s\S]*And now\?$/);
    expect((await chat.load(id)).active).toMatchObject([{ name: "pdf", by: "model" }]);
  });

  test("'/name words' activates the skill for the user, shows a card, and sends the words to the model", async () => {
    const chat = await openChat({ files: FILES, script: [{ say: "Noted." }, { say: "Yes." }] });
    const id = await chat.create();
    const { last } = await chat.say(id, "/notes buy milk");
    expect(outputOf(last, "tool-skills_activate").data).toMatchObject({ name: "notes", truncated: false });
    expect(chat.model.requests[0]?.messages.at(-1)?.text).toMatch(/BODY-MARKER-NOTES[\s\S]*buy milk/);
    expect(chat.model.requests[0]?.messages.at(-1)?.text).not.toContain("/notes");
    await chat.say(id, "Did you?");
    expect(count(chat.model.requests[1], "BODY-MARKER-NOTES")).toBe(1);
    expect(count(chat.model.requests[1], "tool_calls")).toBe(0);
    const { messages, active } = await chat.load(id);
    expect(messages[0]?.parts).toEqual([{ type: "text", text: "/notes buy milk" }]);
    expect(active).toMatchObject([{ name: "notes", by: "user" }]);
  });

  test("an unknown '/name' is a normal message", async () => {
    const chat = await openChat({ files: FILES, script: [{ say: "Hm." }] });
    const id = await chat.create();
    await chat.say(id, "/nothing to see");
    expect(chat.model.requests[0]?.messages.at(-1)?.text).toBe("/nothing to see");
    expect((await chat.load(id)).active).toEqual([]);
  });

  test("a bare '/name' sends the instructions alone to the model, which follows them", async () => {
    const chat = await openChat({ files: FILES, script: [{ say: "Noted." }, { say: "Yes." }, { say: "Again." }] });
    const id = await chat.create();
    const { chunks, last } = await chat.say(id, "/notes");
    const sent = chat.model.requests[0]?.messages.at(-1);
    expect(sent).toMatchObject({ role: "user", text: expect.stringMatching(/^<skill_content name="notes">/) });
    expect(count(chat.model.requests[0], '"text":""')).toBe(0);
    expect(outputOf(last, "tool-skills_activate").text).toContain("BODY-MARKER-NOTES");
    expect(last.parts.at(-1)).toMatchObject({ type: "text", text: "Noted." });
    expect(chunks.some(({ type }) => type === "data-active")).toBe(true);
    await chat.say(id, "Take one");
    expect(count(chat.model.requests[1], "BODY-MARKER-NOTES")).toBe(1);
    expect(count(chat.model.requests[1], "tool_calls")).toBe(0);
    await chat.say(id, "/notes");
    expect(chat.model.requests[2]?.messages.at(-1)?.text).toMatch(
      /^Skill 'notes' is already active: .+ Follow them\.$/,
    );
  });

  test("an unloaded skill is no longer sent or active", async () => {
    const chat = await openChat({ files: FILES, script: [ACTIVATE, { say: "Done." }, { say: "Gone." }] });
    const id = await chat.create();
    await chat.say(id, "Read my file");
    expect((await chat.call("DELETE", `/api/chats/${id}/skills/pdf`)).status).toBe(204);
    expect((await chat.call("DELETE", `/api/chats/${id}/skills/pdf`)).status).toBe(404);
    await chat.say(id, "And now?");
    expect(count(chat.model.requests.at(-1), "BODY-MARKER-PDF")).toBe(0);
    expect((await chat.load(id)).active).toEqual([]);
  });
});

test("an open chat keeps its catalog, receives new skills as a notice, and can use them", async () => {
  const use = { call: "skills_activate", input: { name: "added" } };
  const chat = await openChat({ files: FILES, script: [{ say: "Hi." }, use, { say: "Used." }, { say: "Still." }] });
  const id = await chat.create();
  await chat.say(id, "Hello");
  writeFiles(chat.project, { ".skills/added/SKILL.md": skillMd("added", "Adds.", "BODY-MARKER-ADDED") });
  await chat.services.skills?.registry.rescan();
  await chat.say(id, "Use the new one");
  const [first, second] = chat.model.requests;
  expect(second?.system).toBe(first?.system);
  expect(second?.messages.at(-1)?.text).toMatch(/These skills are new:[\s\S]*"added"/);
  await chat.say(id, "And now?");
  expect(count(chat.model.requests.at(-1), "BODY-MARKER-ADDED")).toBe(1);
  expect((await chat.load(id)).active).toMatchObject([{ name: "added", isMissing: false }]);
});

describe("without tools", () => {
  test("the request has no tools; an invoked skill is in the prompt and stays active", async () => {
    const chat = await openChat({ files: FILES, script: [{ say: "Noted." }, { say: "Fine." }, { say: "Bye." }] });
    const id = await chat.create();
    const { last } = await chat.say(id, "/notes buy milk", { modelId: "scripted/plain" });
    expect(chat.model.requests[0]?.tools).toEqual([]);
    expect(chat.model.requests[0]?.system).toContain("BODY-MARKER-NOTES");
    expect(chat.model.requests[0]?.messages.at(-1)?.text).toBe("buy milk");
    expect(last.metadata?.fallback).toBe("notes");
    await chat.say(id, "Thanks", { modelId: "scripted/plain" });
    expect(count(chat.model.requests[1], "BODY-MARKER-NOTES")).toBe(1);
    expect((await chat.load(id)).active).toMatchObject([{ name: "notes", by: "user" }]);
    await chat.call("DELETE", `/api/chats/${id}/skills/notes`);
    await chat.say(id, "Thanks", { modelId: "scripted/plain" });
    expect(count(chat.model.requests[2], "BODY-MARKER-NOTES")).toBe(0);
  });

  test("a bare '/name' stays the message, and its instructions are in the prompt", async () => {
    const chat = await openChat({ files: FILES, script: [{ say: "Noted." }] });
    const id = await chat.create();
    const { last } = await chat.say(id, "/notes", { modelId: "scripted/plain" });
    expect(chat.model.requests[0]?.system).toContain("BODY-MARKER-NOTES");
    expect(chat.model.requests[0]?.messages.at(-1)?.text).toBe("/notes");
    expect(last.metadata?.fallback).toBe("notes");
    expect(last.parts.at(-1)).toMatchObject({ type: "text", text: "Noted." });
    expect((await chat.load(id)).active).toMatchObject([{ name: "notes", by: "user" }]);
  });

  test("the model gets the catalog of skills that users can invoke, and how to suggest them", async () => {
    const files = {
      ...FILES,
      ".skills/hidden/SKILL.md": "---\nname: hidden\ndescription: For people.\ndisable-model-invocation: true\n---\nx",
      ".skills/inner/SKILL.md": "---\nname: inner\ndescription: For models.\nuser-invocable: false\n---\nx",
    };
    const chat = await openChat({ files, script: [{ say: "Try /pdf." }] });
    const id = await chat.create();
    await chat.say(id, "Read my file", { modelId: "scripted/plain" });
    const system = chat.model.requests[0]?.system ?? "";
    expect(system).toContain(
      '{"available_skills":[{"name":"notes","description":"Takes notes."},{"name":"pdf","description":"Reads PDFs. Use for PDF files."}]}',
    );
    expect(system).toContain("starts a message with `/` and the name of the skill");
    expect(system).not.toMatch(/skills_activate|hidden|inner|MARKER/);
    expect(system).not.toContain(chat.project);
  });

  test("a chat with tool calls continues with a model that has no tools", async () => {
    const chat = await openChat({ files: FILES, script: [ACTIVATE, { say: "Done." }, { say: "Fine." }] });
    const id = await chat.create();
    await chat.say(id, "Read my file");
    await chat.say(id, "And now?", { modelId: "scripted/plain" });
    const request = chat.model.requests.at(-1);
    expect(count(request, "tool_call")).toBe(0);
    expect(count(request, "BODY-MARKER-PDF")).toBe(1);
  });
});

test("with skills disabled, the chat has no prompt text, tool, activation or view of them", async () => {
  const chat = await openChat({ files: FILES, config: "[app.skills]\nenabled = false", script: [{ say: "Hi." }] });
  const id = await chat.create();
  await chat.say(id, "/notes");
  const [request] = chat.model.requests;
  expect(request?.tools).toEqual([]);
  expect(JSON.stringify(request?.body)).not.toMatch(/skill/i);
  expect(request?.messages.at(-1)?.text).toBe("/notes");
  expect(await chat.get("/api/state")).toMatchObject({ hasSkills: false });
  expect(await chat.get("/api/commands")).toEqual([]);
  expect((await chat.call("GET", "/api/skills")).status).toBe(404);
  expect(chat.log.some(({ event }) => event.startsWith("skill"))).toBe(false);
});

describe("texts that are filled in again", () => {
  test("an activation contains the words after the name, as it did originally", async () => {
    const files = { ".skills/mail/SKILL.md": skillMd("mail", "Sends mail.", "Write to $ARGUMENTS.") };
    const chat = await openChat({ files, script: [{ say: "Sent." }] });
    const id = await chat.create();
    const { last } = await chat.say(id, "/mail Ada and Grace");
    expect(outputOf(last, "tool-skills_activate").data.body).toBe("Write to Ada and Grace.");
    const { last: bare } = await chat.say(id, "/mail");
    expect(JSON.stringify(outputOf(bare, "tool-skills_activate"))).not.toContain("$ARGUMENTS");
  });

  test("activations by several names contain the words after the last one, as they did originally", async () => {
    const files = {
      ".skills/mail/SKILL.md": skillMd("mail", "Sends mail.", "Write to $0."),
      ".skills/post/SKILL.md": skillMd("post", "Sends post.", "Post to $ARGUMENTS."),
    };
    const chat = await openChat({ files, script: [{ say: "Sent." }, { say: "Sent again." }] });
    const id = await chat.create();
    const { last } = await chat.say(id, "/mail /post Ada Lovelace");
    const bodiesOf = ({ parts }: ChatMessage) =>
      parts.flatMap((part) =>
        part.type === "tool-skills_activate" && part.output?.isError === false ? [part.output.data.body] : [],
      );
    expect(bodiesOf(last)).toEqual(["Write to Ada.", "Post to Ada Lovelace."]);
    expect(chat.model.requests[0]?.messages.at(-1)?.text).toMatch(
      /Write to Ada\.[\s\S]*Post to Ada Lovelace\.[\s\S]*Ada Lovelace$/,
    );
    const { messages, active } = await chat.load(id);
    expect(bodiesOf(messages.at(-1) as ChatMessage)).toEqual(["Write to Ada.", "Post to Ada Lovelace."]);
    expect(active.map(({ name }) => name)).toEqual(["mail", "post"]);
    await chat.say(id, "/post /mail");
    expect(chat.model.requests[1]?.messages.at(-1)?.text).toMatch(/post[\s\S]*mail/);
  });

  test("a changed skill is shown in its current form, and the model is notified of the change", async () => {
    const chat = await openChat({ files: FILES, script: [ACTIVATE, READ, { say: "Done." }, { say: "New." }] });
    const id = await chat.create();
    await chat.say(id, "Read my file");
    writeFileSync(`${chat.project}/.skills/pdf/SKILL.md`, PDF.replace("BODY-MARKER-PDF", "SECOND-MARKER"));
    writeFileSync(`${chat.project}/.skills/pdf/references/a.md`, "FILE-MARKER-B");
    await chat.services.skills?.registry.rescan();
    const { messages, active } = await chat.load(id);
    const last = messages.at(-1) as ChatMessage;
    expect(outputOf(last, "tool-skills_activate").data).toMatchObject({ changed: true });
    expect(outputOf(last, "tool-skills_activate").text).toMatch(/SECOND-MARKER[\s\S]*have changed/);
    expect(outputOf(last, "tool-skills_read_resource").data).toMatchObject({ changed: true, content: "FILE-MARKER-B" });
    expect(active).toMatchObject([{ name: "pdf", isChanged: true, isMissing: false }]);
    await chat.say(id, "And now?");
    const request = chat.model.requests.at(-1);
    expect([count(request, "BODY-MARKER-PDF"), count(request, "SECOND-MARKER")]).toEqual([1, 0]);
    expect(request?.messages.at(-1)?.text).toContain("The instructions of these skills have changed: pdf.");
  });

  test("a removed skill is reported as unavailable, and the chat continues", async () => {
    const chat = await openChat({ files: FILES, script: [ACTIVATE, READ, { say: "Done." }, { say: "Well." }] });
    const id = await chat.create();
    await chat.say(id, "Read my file");
    rmSync(`${chat.project}/.skills/pdf`, { recursive: true });
    await chat.services.skills?.registry.rescan();
    const { messages, active } = await chat.load(id);
    const last = messages.at(-1) as ChatMessage;
    expect(outputOf(last, "tool-skills_activate").data).toMatchObject({ missing: true });
    expect(outputOf(last, "tool-skills_activate").text).toContain("no longer available");
    expect(outputOf(last, "tool-skills_read_resource").text).toContain("no longer available");
    expect(active).toMatchObject([{ name: "pdf", isMissing: true }]);
    const { last: answer } = await chat.say(id, "And now?");
    expect(answer.parts.at(-1)).toMatchObject({ text: "Well." });
  });
});

describe("failing answers", () => {
  test("a stopped answer keeps its text so far and is marked as cut off", async () => {
    const chat = await openChat({ files: FILES, script: [ACTIVATE, { hang: true }] });
    const id = await chat.create();
    const asked = chat.ask(id, "Read my file").then(readChunks);
    await expect.poll(() => chat.model.requests.length).toBe(2);
    expect((await chat.load(id)).isAnswering).toBe(true);
    expect((await chat.ask(id, "Are you there?")).status).toBe(409);
    expect((await chat.call("POST", `/api/chats/${id}/stop`)).status).toBe(204);
    expect((await asked).map(({ type }) => type)).toContain("abort");
    const { messages, isAnswering } = await chat.load(id);
    expect(isAnswering).toBe(false);
    expect(messages.at(-1)?.metadata).toMatchObject({ isCut: true, isStopped: true });
    expect(messages.at(-1)?.parts.some(({ type }) => type === "tool-skills_activate")).toBe(true);
  });

  test("a model's failure is reported on one line without paths, and the message can be sent again", async () => {
    const fail = { status: 400, message: `Cannot open /home/somebody/secret.key ${"x".repeat(900)}` };
    const chat = await openChat({ files: FILES, script: [{ fail }, { say: "Better." }] });
    const id = await chat.create();
    const { chunks } = await chat.say(id, "Hello");
    const error = String(chunks.find(({ type }) => type === "error")?.errorText);
    expect(error.length).toBeLessThanOrEqual(500);
    expect(error).not.toContain("/home/somebody");
    expect(chat.log).toContainEqual(expect.objectContaining({ event: "model-failed", status: 400 }));
    expect(JSON.stringify(chat.log)).not.toContain("secret.key");
    expect((await chat.load(id)).messages.at(-1)).toMatchObject({ parts: [], metadata: { failure: error } });
    await chat.say(id, "Hello", { replaceFrom: "m1", messageId: "m1" });
    expect((await chat.load(id)).messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  });

  test("editing replaces the message and everything after it", async () => {
    const chat = await openChat({ files: FILES, script: [{ say: "One." }, { say: "Two." }] });
    const id = await chat.create();
    await chat.say(id, "First");
    await chat.say(id, "Second");
    await chat.say(id, "Third instead", { replaceFrom: "m2" });
    const texts = (await chat.load(id)).messages.flatMap(({ parts }) =>
      parts.flatMap((part) => ("text" in part ? [part.text] : [])),
    );
    expect(texts).toEqual(["First", "One.", "Third instead", "Two."]);
    expect((await chat.ask(id, "Fourth", { replaceFrom: "m2" })).status).toBe(404);
  });

  test("editing unloads skills that only deleted messages activated, and updates the title until the user sets it", async () => {
    const step: ScriptStep = ({ messages }) =>
      messages.at(-1)?.text.endsWith("Read my file") ? ACTIVATE : { say: "Well." };
    const chat = await openChat({ files: FILES, script: [step, step, step] });
    const id = await chat.create();
    await chat.say(id, "/notes", { messageId: "first" });
    await chat.say(id, "Read my file", { messageId: "second" });
    const names = async () => (await chat.load(id)).active.map(({ name }) => name);
    expect(await names()).toEqual(["notes", "pdf"]);
    await chat.say(id, "Never mind", { replaceFrom: "second" });
    expect(await names()).toEqual(["notes"]);
    await chat.say(id, "/pdf", { replaceFrom: "first", messageId: "third" });
    expect(await names()).toEqual(["pdf"]);
    expect((await chat.load(id)).title).toBe("Pdf");
    await chat.call("PATCH", `/api/chats/${id}`, { title: "Mine" });
    await chat.say(id, "/notes", { replaceFrom: "third" });
    expect((await chat.load(id)).title).toBe("Mine");
  });

  test("an answer completes and is stored after the client disconnects", async () => {
    const chat = await openChat({ files: FILES, script: [ACTIVATE, { say: "Done." }] });
    const id = await chat.create();
    const response = await chat.ask(id, "Read my file");
    await response.body?.cancel();
    await expect.poll(async () => (await chat.load(id)).messages.length).toBe(2);
    expect((await chat.load(id)).messages.at(-1)?.metadata?.isCut).toBeUndefined();
  });

  test("a message is stored before its answer starts", async () => {
    const chat = await openChat({ files: FILES, script: [{ hang: true }] });
    const id = await chat.create();
    const response = await chat.ask(id, "Hello");
    expect((await chat.load(id)).messages).toMatchObject([{ id: "m1", parts: [{ text: "Hello" }] }]);
    await chat.call("POST", `/api/chats/${id}/stop`);
    await response.text();
  });
});

test("texts over a limit are truncated, and logged once per skill and path", async () => {
  const config = `[app.skills]
enabled = true
directories = ["./.skills"]
max_skill_md_bytes = 1000
max_resource_bytes = 1000
`;
  const files = {
    ".skills/pdf/SKILL.md": skillMd("pdf", "Reads PDFs.", "y".repeat(3_000)),
    ".skills/pdf/references/a.md": "z".repeat(4_000),
  };
  const chat = await openChat({ files, config, script: [ACTIVATE, READ, READ, { say: "Done." }] });
  const id = await chat.create();
  const { last } = await chat.say(id, "Read my file");
  // Logged once, whatever the number of chats.
  await chat.say(await chat.create(), "Read my file");
  expect(outputOf(last, "tool-skills_activate").data).toMatchObject({ truncated: true });
  expect(outputOf(last, "tool-skills_activate").text).toContain("2000 of 3000 bytes were removed");
  expect(outputOf(last, "tool-skills_read_resource").text).toContain("3000 of 4000 bytes were removed");
  const warnings = chat.log.filter(({ event }) => event === "content-truncated");
  expect(warnings.map(({ skill, path }) => [skill, path])).toEqual([
    ["pdf", "SKILL.md"],
    ["pdf", "references/a.md"],
  ]);
});

test("paths outside the skill are refused with a one-line error", async () => {
  const outside = { call: "skills_read_resource", input: { name: "pdf", path: "../notes/SKILL.md" } };
  const chat = await openChat({ files: FILES, script: [ACTIVATE, outside, { say: "Done." }] });
  const id = await chat.create();
  const { last } = await chat.say(id, "Read my file");
  expect(outputOf(last, "tool-skills_read_resource")).toMatchObject({
    isError: true,
    text: "Path traversal is not allowed.",
  });
});
