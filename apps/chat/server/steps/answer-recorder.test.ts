import { expect, test } from "vitest";
import type { ProviderModel } from "../models/lazy-model.ts";
import { createLog } from "../observe/log.ts";
import { AnswerRecorder } from "./answer-recorder.ts";
import type { ModelRequest } from "./encode-request.ts";
import type { StepRecord } from "./step-record.ts";

const doStream = async () => ({ stream: new ReadableStream({ start: (controller) => controller.close() }) });
const model = { specificationVersion: "v4", provider: "p", modelId: "m", doStream };

function openRecorder() {
  const records: StepRecord[] = [];
  const save = async (_chat: string, _answer: string, record: StepRecord): Promise<void> => {
    records.push(record);
  };
  const log = createLog("error", () => {});
  const about = { chatId: "c", answerId: "a", modelId: "p/m", price: undefined };
  return { records, recorder: new AnswerRecorder({ ...about, store: { save }, log }) };
}

const asking = (texts: readonly string[]): ModelRequest => ({
  prompt: texts.map((text) => ({ role: "user", content: [{ type: "text", text }] })),
});

test("requests after the first megabyte of an answer are not recorded, but their steps are", async () => {
  const { records, recorder } = openRecorder();
  const watched = recorder.watch(model as unknown as ProviderModel);
  const many = Array.from({ length: 9_000 }, (_, index) => `Question ${index}`);
  for (const texts of [["One"], many, ["Three"]]) await watched.doStream(asking(texts));
  expect(recorder.end()).toMatchObject({ steps: 3, isEstimate: true });
  await recorder.stored;
  expect(records.map(({ step, recipe }) => [step, recipe !== undefined])).toEqual([
    [1, true],
    [2, false],
    [3, false],
  ]);
});

test("a step has 200 events, and the number of the others", async () => {
  const { records, recorder } = openRecorder();
  for (let index = 0; index < 250; index++) {
    recorder.note({
      type: "file-read",
      at: index,
      skill: "tea",
      path: "chart.md",
      mediaType: "text/markdown",
      bytes: 1,
      truncated: false,
    });
  }
  await recorder.watch(model as unknown as ProviderModel).doStream(asking(["One"]));
  recorder.end();
  await recorder.stored;
  expect(records[0]?.events).toHaveLength(200);
  expect(records[0]?.moreEvents).toBe(50);
});

test("the path of a toolset that failed on the server is not recorded", async () => {
  const { records, recorder } = openRecorder();
  const failed = { skill: "tea", toolset: "tools", file: "/srv/tea/tools.ts", reason: "Cannot read /srv/tea/tools.ts" };
  recorder.note({ type: "toolset-failed", at: 1, ...failed });
  await recorder.watch(model as unknown as ProviderModel).doStream(asking(["One"]));
  recorder.end();
  await recorder.stored;
  expect(JSON.stringify(records)).not.toContain("/srv");
});

test("a store that fails does not fail the answer", async () => {
  const lines: string[] = [];
  const log = createLog("warn", (line) => lines.push(line));
  const save = () => Promise.reject(new Error("The disk is full."));
  const about = { chatId: "c", answerId: "a", modelId: "p/m", price: undefined };
  const recorder = new AnswerRecorder({ ...about, store: { save }, log });
  await recorder.watch(model as unknown as ProviderModel).doStream(asking(["One"]));
  recorder.end();
  await recorder.stored;
  expect(lines.join()).toContain("step-not-stored");
});
