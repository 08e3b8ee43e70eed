import { startScriptedModel } from "@skillset/testing";
import { expect, onTestFinished, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../test/temporary-folder.ts";
import type { Chat, ChatSummary } from "../shared/api.ts";
import { fillDataFolder } from "./testing/memory-database.ts";
import { post, question, scriptedSettings, startProgram } from "./testing/start-program.ts";

test("an answer that does not finish in time is returned and stored as far as it got, and marked", async () => {
  const begin = { say: "Let me see.", call: "skills_activate", input: { name: "notes" } };
  const model = await startScriptedModel([begin, { hang: true }], { isSide: () => false });
  onTestFinished(() => model.close());
  const project = temporaryFolder({
    "config.toml": scriptedSettings(model),
    ".skills/notes/SKILL.md": skillMd("notes"),
  });
  await fillDataFolder(`${project}/data`);
  const first = await startProgram(project);
  const { id } = (await (await post(`${first.url}api/chats`)).json()) as ChatSummary;
  const response = await post(`${first.url}api/chats/${id}/turn`, question("m1", "Hello"));
  const read = response.text();
  await expect.poll(() => model.requests.length, { timeout: 20_000 }).toBe(2);
  first.child.kill("SIGTERM");
  // The stream ends properly, so that the page can show the answer as cut off.
  const text = await read;
  expect(text).toContain("Let me see.");
  expect(text).toContain('"isCut":true');
  expect(text.trimEnd().endsWith("data: [DONE]")).toBe(true);
  expect(await first.exit).toBe(0);
  await expect(fetch(first.url)).rejects.toThrow();

  const second = await startProgram(project);
  const chat = (await (await fetch(`${second.url}api/chats/${id}`)).json()) as Chat;
  expect(chat.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  expect(chat.messages.at(-1)?.metadata).toMatchObject({ isCut: true });
  expect(chat.isAnswering).toBe(false);
}, 120_000);
