import { evaluatePrompt } from "../../../packages/skillset/src/openai/index.ts";
import type { ContractEvaluator } from "../../../packages/testing/src/index.ts";
import { clientAt } from "../adapters/openai.ts";

/** The Chat Completions API. */
export const openaiChat: ContractEvaluator = {
  name: "OpenAI Chat",
  start: async ({ modelUrl }) => {
    const client = clientAt(modelUrl);
    return {
      evaluate: (prompt, options) => evaluatePrompt({ client, prompt, request: { model: "scripted" }, ...options }),
      close: async () => {},
    };
  },
};
