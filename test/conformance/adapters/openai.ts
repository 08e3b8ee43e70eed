import { OpenAI } from "openai";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { ResponseInputItem } from "openai/resources/responses/responses";
import {
  compactChatMessages,
  compactResponseInput,
  runChat,
  runResponses,
} from "../../../packages/skillset/src/openai/index.ts";
import type { ContractAdapter } from "../../../packages/testing/src/index.ts";

/** The Responses API, streamed. */
export const openaiResponses: ContractAdapter = {
  name: "OpenAI Responses",
  start: async ({ skills, modelUrl, session: sessionOptions, instructions, system, ...setup }) => {
    const client = clientAt(modelUrl);
    const session = await skills.session(sessionOptions);
    const start = system === undefined ? [] : [{ role: "developer" as const, content: system }];
    let items: readonly ResponseInputItem[] = start;
    return {
      session,
      say: async (content, { signal, history } = {}) => {
        if (history === "drop") items = start;
        else if (history !== undefined)
          ({ messages: items } = await compactResponseInput(session, items, { budget: history }));
        const input = [...items, { role: "user" as const, content }];
        const request = { model: "scripted", input, ...(instructions !== undefined && { instructions }) };
        const options = { ...setup, onEvent: () => {}, ...(signal && { signal }) };
        const run = await runResponses({ client, session, request, ...options });
        items = [...input, ...run.added];
        return run.text;
      },
      close: async () => {},
    };
  },
};

/** The Chat Completions API, streamed. */
export const openaiChat: ContractAdapter = {
  name: "OpenAI Chat",
  lacks: { "data-files": "the API has no files with text" },
  start: async ({ skills, modelUrl, session: sessionOptions, instructions, system, ...setup }) => {
    const client = clientAt(modelUrl);
    const session = await skills.session(sessionOptions);
    const own = { role: "system", content: instructions ?? "" } as const;
    const other = { role: "developer", content: system ?? "" } as const;
    const start = [...(instructions === undefined ? [] : [own]), ...(system === undefined ? [] : [other])];
    let messages: readonly ChatCompletionMessageParam[] = start;
    return {
      session,
      say: async (content, { signal, history } = {}) => {
        if (history === "drop") messages = start;
        else if (history !== undefined)
          ({ messages } = await compactChatMessages(session, messages, { budget: history }));
        const asked = [...messages, { role: "user" as const, content }];
        const options = { ...setup, onEvent: () => {}, ...(signal && { signal }) };
        const run = await runChat({ client, session, request: { model: "scripted", messages: asked }, ...options });
        messages = [...asked, ...run.added];
        return run.text;
      },
      close: async () => {},
    };
  },
};

export function clientAt(url: string): OpenAI {
  return new OpenAI({ apiKey: "any", baseURL: `${url}/v1` });
}
