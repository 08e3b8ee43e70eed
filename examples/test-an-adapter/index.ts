// #region program
import { test } from "node:test";
import { OpenAI } from "openai";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { runChat } from "skillset/openai"; // stands for an adapter of your own
import { adapterContract, type ContractAdapter } from "skillset/testing";

const mine: ContractAdapter = {
  name: "mine",
  lacks: { compaction: "histories are the host's" },
  start: async ({ skills, modelUrl, session: options, instructions, ...setup }) => {
    const session = await skills.session(options);
    const client = new OpenAI({ baseURL: `${modelUrl}/v1`, apiKey: "any" });
    const start = instructions === undefined ? [] : [{ role: "system" as const, content: instructions }];
    let messages: ChatCompletionMessageParam[] = start;
    return {
      session,
      say: async (content, { signal, history } = {}) => {
        const asked = [...(history === "drop" ? start : messages), { role: "user" as const, content }];
        const sending = { model: "any", messages: asked, ...setup, ...(signal && { signal }) };
        const { text, added } = await runChat(client, session, sending);
        messages = [...asked, ...added];
        return text;
      },
      close: async () => {},
    };
  },
};

for (const { title, needs, run } of adapterContract) {
  const reason = needs && mine.lacks?.[needs];
  test(title, { skip: reason ?? false }, () => run(mine));
}
// #endregion
