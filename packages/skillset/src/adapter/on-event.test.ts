import { setImmediate } from "node:timers/promises";
import { Anthropic } from "@anthropic-ai/sdk";
import { OpenAI } from "openai";
import { describe, expect, onTestFinished, test } from "vitest";
import { startScriptedModel } from "../../../testing/src/index.ts";
import { runMessages } from "../anthropic/index.ts";
import { createSkillset } from "../index.ts";
import { runChat, runResponses } from "../openai/index.ts";

type Listener = () => unknown;
const messages = [{ role: "user" as const, content: "Hi." }];

async function open() {
  const model = await startScriptedModel([{ say: "One two three four five six." }], { isSide: () => false });
  onTestFinished(() => model.close());
  const session = await (await createSkillset([])).session();
  const openai = new OpenAI({ apiKey: "any", baseURL: `${model.url}/v1`, maxRetries: 0 });
  const anthropic = new Anthropic({ apiKey: "any", baseURL: model.url, maxRetries: 0 });
  return { session, openai, anthropic };
}

describe.each<[string, (onEvent: Listener) => Promise<{ readonly text: string }>]>([
  [
    "runChat",
    async (onEvent) => {
      const { openai: client, session } = await open();
      return runChat({ client, session, request: { model: "any", messages }, onEvent });
    },
  ],
  [
    "runResponses",
    async (onEvent) => {
      const { openai: client, session } = await open();
      return runResponses({ client, session, request: { model: "any", input: "Hi." }, onEvent });
    },
  ],
  [
    "runMessages",
    async (onEvent) => {
      const { anthropic: client, session } = await open();
      return runMessages({ client, session, request: { model: "any", max_tokens: 100, messages }, onEvent });
    },
  ],
])("%s", (_name, run) => {
  test("waits for 'onEvent', so that events arrive one after the other, and before the result", async () => {
    let [running, most, ended] = [0, 0, 0];
    const { text } = await run(async () => {
      most = Math.max(most, ++running);
      await setImmediate();
      running--;
      ended++;
    });
    const before = ended;
    await setImmediate();
    expect({ text, most, running }).toEqual({ text: "One two three four five six.", most: 1, running: 0 });
    expect(before).toBe(ended);
    expect(ended).toBeGreaterThan(2);
  });

  test("fails with the error of an 'onEvent' that rejects", async () => {
    const asked = run(() => Promise.reject(new Error("Slack is down.")));
    await expect(asked).rejects.toMatchObject({ name: "RunError", message: "Slack is down." });
  });
});
