import { Anthropic } from "@anthropic-ai/sdk";
import type { MessageParam } from "@anthropic-ai/sdk/resources/messages";
import { compactMessages, runMessages } from "../../../packages/skillset/src/anthropic/index.ts";
import type { ContractAdapter } from "../../../packages/testing/src/index.ts";

/** Anthropic's Messages API. */
export const anthropic: ContractAdapter = {
  name: "Anthropic Messages",
  lacks: { "other-system": "the API has no other place" },
  start: async ({ skills, modelUrl, session: sessionOptions, instructions, ...setup }) => {
    const client = anthropicAt(modelUrl);
    const session = await skills.session(sessionOptions);
    const system = instructions !== undefined && { system: instructions };
    let messages: readonly MessageParam[] = [];
    return {
      session,
      say: async (content, { signal, history } = {}) => {
        if (history === "drop") messages = [];
        else if (history !== undefined) ({ messages } = await compactMessages(session, messages, { budget: history }));
        const asked: readonly MessageParam[] = [...messages, { role: "user", content }];
        const request = { model: "scripted", max_tokens: 64_000, messages: asked, ...system };
        const run = await runMessages({ client, session, request, ...setup, ...(signal && { signal }) });
        messages = [...asked, ...run.added];
        return run.text;
      },
      close: async () => {},
    };
  },
};

export function anthropicAt(baseURL: string): Anthropic {
  return new Anthropic({ apiKey: "any", baseURL });
}
