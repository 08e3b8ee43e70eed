import { afterEach, expect, test } from "vitest";
import { skillMd } from "../../../../test/temporary-folder.ts";
import type { AnswerStepsView, StepEvent } from "../../shared/steps-api.ts";
import { PNG, sendFiles, upload } from "../testing/attach.ts";
import { emptyDatabase, openChat, type TestChat } from "../testing/open-chat.ts";

afterEach(emptyDatabase);

/** The events of the last answer's first step. */
async function eventsOf(chat: TestChat, id: string): Promise<readonly StepEvent[]> {
  const answer = (await chat.load(id)).messages.at(-1)?.id;
  const { steps } = await chat.get<AnswerStepsView>(`/api/chats/${id}/answers/${answer}/steps`);
  return steps[0]?.events ?? [];
}
const filesIn = (events: readonly StepEvent[]) =>
  events.flatMap((event) => {
    if (event.type !== "attachment-left-out") return [];
    const { type: _, at: __, ...file } = event;
    return [file];
  });

test("a step names each attached file that the model did not get in full, and the reason", async () => {
  const chat = await openChat({ script: Array(3).fill({ say: "Yes." }) });
  const id = await chat.create();
  const files = [
    await upload(chat, "long.txt", "x".repeat(40_000)),
    await upload(chat, "few.csv", "a,b\n"),
    await upload(chat, "dot.png", PNG),
    await upload(chat, "raw.bin", Uint8Array.of(0, 1)),
    await upload(chat, "large.pdf", `%PDF-1.7 ${"x".repeat(10 * 1024 * 1024)}`),
  ];
  await sendFiles(chat, id, files);
  const large = { name: "large.pdf", reason: "too-large", bytes: 10 * 1024 * 1024 + 9 };
  const cut = { name: "long.txt", reason: "cut", bytes: 40_000, characters: 32_000 };
  const raw = { name: "raw.bin", reason: "unreadable", bytes: 2 };
  expect(filesIn(await eventsOf(chat, id))).toEqual([cut, raw, large]);
  // A later answer has the files again, here by a model that takes no images.
  await sendFiles(chat, id, [], { modelId: "scripted/text" });
  const unreadable = { reason: "unreadable" } as const;
  expect(filesIn(await eventsOf(chat, id))).toEqual([
    cut,
    { name: "dot.png", bytes: PNG.length, ...unreadable },
    raw,
    { ...large, ...unreadable },
  ]);
});

test("files of earlier messages are left out first, and in their order", async () => {
  const chat = await openChat({
    config: "[models]\nmax_prompt_tokens = 25000",
    script: Array(3).fill({ say: "Yes." }),
  });
  const id = await chat.create();
  for (const name of ["one.txt", "two.txt", "three.txt"]) {
    await sendFiles(chat, id, [await upload(chat, name, "word ".repeat(5_000))]);
  }
  expect(filesIn(await eventsOf(chat, id))).toEqual([
    { name: "one.txt", reason: "cut", bytes: 25_000, characters: 0 },
    { name: "two.txt", reason: "cut", bytes: 25_000, characters: 15_000 },
  ]);
});

test("a step says how many skills the catalog shortened and left out, and its budget", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [
      `.skills/shelf-${at}/SKILL.md`,
      skillMd(`shelf-${at}`, `Knows what is on shelf ${at} of the archive, and who may take it from there. `.repeat(3)),
    ]),
  );
  const config = `[app.skills]\nenabled = true\ndirectories = ["./.skills"]\nmax_skills = 1000\nmax_catalog_tokens = 2000\n`;
  const chat = await openChat({ files, config, script: [{ say: "Yes." }] });
  const id = await chat.create();
  await chat.say(id, "Hello?");
  const [event] = await eventsOf(chat, id);
  if (event?.type !== "skills-offered") throw new Error("There is no catalog.");
  const { full, shortened, nameOnly, omitted } = event.counts;
  expect(full + shortened + nameOnly + omitted).toBe(300);
  expect(Math.min(shortened, nameOnly, omitted)).toBeGreaterThan(0);
  expect(event.budget).toEqual({ tokens: 2000 });
});
