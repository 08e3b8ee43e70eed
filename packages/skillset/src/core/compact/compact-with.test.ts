import { expect, test } from "vitest";
import { compactMessages } from "../../ai-sdk/index.ts";
import { compactMessages as compactAnthropic } from "../../anthropic/index.ts";
import { createSkillset } from "../../index.ts";
import { compactChatMessages, compactResponseInput } from "../../openai/index.ts";

const messages = [{ role: "user" as const, content: "Hi." }];

test.each<[string, unknown]>(
  Object.entries({ compactMessages, compactAnthropic, compactChatMessages, compactResponseInput }),
)("%s() names a missing budget and messages that are no list", async (_name, given) => {
  const session = await (await createSkillset([])).session();
  const compact = given as (...given: unknown[]) => Promise<unknown>;
  const missing = "Shortening a history needs the option 'budget', such as { tokens: 8_000 }.";
  await expect(compact(session, messages)).rejects.toThrow(missing);
  await expect(compact(session, messages, {})).rejects.toThrow(missing);
  const budget = { tokens: 8_000 };
  await expect(compact(session, Promise.resolve(messages), { budget })).rejects.toThrow(
    "The history must be a list of messages, not a promise: add 'await'.",
  );
  await expect(compact(session, [undefined], { budget })).rejects.toThrow("and item 0 is undefined.");
});
