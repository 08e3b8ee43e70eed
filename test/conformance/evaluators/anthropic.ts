import { evaluatePrompt } from "../../../packages/skillset/src/anthropic/index.ts";
import type { ContractEvaluator } from "../../../packages/testing/src/index.ts";
import { anthropicAt } from "../adapters/anthropic.ts";

/** Anthropic's Messages API. */
export const anthropic: ContractEvaluator = {
  name: "Anthropic Messages",
  start: async ({ modelUrl }) => {
    const client = anthropicAt(modelUrl);
    const request = { model: "scripted", max_tokens: 64_000 };
    return {
      evaluate: (prompt, options) => evaluatePrompt({ client, prompt, request, ...options }),
      close: async () => {},
    };
  },
};
