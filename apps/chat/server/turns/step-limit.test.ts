import type { ScriptStep } from "@skillset/testing";
import { afterEach, expect, test } from "vitest";
import { skillMd } from "../../../../test/temporary-folder.ts";
import { emptyDatabase, openChat } from "../testing/open-chat.ts";

afterEach(emptyDatabase);

const FILES = {
  ".skills/pdf/SKILL.md": skillMd("pdf", "Reads PDFs.", "# PDF"),
  ".skills/pdf/references/a.md": "FILE-MARKER-A",
};
const CONFIG = `[app.skills]
enabled = true
directories = ["./.skills"]
[models]
max_steps = 2
`;
const READ: ScriptStep = { call: "skills_read_resource", input: { name: "pdf", path: "references/a.md" } };
const SENTENCE = 'The answer stopped at the limit of 2 steps. Write "continue" to resume.';

test("an answer that ends at the step limit reports it in the stream, the stored message and the metrics", async () => {
  const chat = await openChat({ files: FILES, config: CONFIG, script: [READ, READ, { say: "Too late." }] });
  const id = await chat.create();
  const { chunks, last } = await chat.say(id, "Read my file");
  expect(chat.model.requests).toHaveLength(2);
  expect(chunks.filter(({ type }) => type === "text-delta").map(({ delta }) => delta)).toEqual([SENTENCE]);
  expect(chunks.findLastIndex(({ type }) => type === "finish")).toBeGreaterThan(
    chunks.findIndex(({ type }) => type === "text-end"),
  );
  expect(last.parts.at(-1)).toMatchObject({ type: "text", text: SENTENCE });
  expect(last.metadata).toMatchObject({ stepLimit: 2 });
  expect(last.metadata?.isCut).toBeUndefined();
  expect(chat.log).toContainEqual(expect.objectContaining({ event: "answer", outcome: "steps" }));
  expect(await (await chat.call("GET", "/metrics")).text()).toContain('chat_answers_total{outcome="steps"} 1');
});

test("the next answer continues from the results that the model has not seen", async () => {
  const chat = await openChat({ files: FILES, config: CONFIG, script: [READ, READ, { say: "Done." }] });
  const id = await chat.create();
  await chat.say(id, "Read my file");
  const { last } = await chat.say(id, "continue");
  const { body } = chat.model.requests[2] as unknown as { body: { messages: { role: string; content: unknown }[] } };
  expect(body.messages.slice(-3)).toMatchObject([
    { role: "tool", content: "FILE-MARKER-A" },
    { role: "assistant", content: SENTENCE },
    { role: "user", content: "continue" },
  ]);
  expect(last.parts.at(-1)).toMatchObject({ text: "Done." });
  expect(last.metadata?.stepLimit).toBeUndefined();
});

test("an answer that completes in its last step is a normal answer", async () => {
  const chat = await openChat({ files: FILES, config: CONFIG, script: [READ, { say: "Done." }] });
  const id = await chat.create();
  const { last } = await chat.say(id, "Read my file");
  expect(last.parts.at(-1)).toMatchObject({ text: "Done." });
  expect(last.metadata?.stepLimit).toBeUndefined();
  expect(chat.log).toContainEqual(expect.objectContaining({ event: "answer", outcome: "done" }));
});
