import { evaluatePrompt } from "../../../packages/skillset/src/ai-sdk/index.ts";
import type { ContractEvaluator } from "../../../packages/testing/src/index.ts";
import { modelAt } from "../adapters/ai-sdk.ts";

/** Any model of the AI SDK. */
export const aiSdk: ContractEvaluator = {
  name: "AI SDK",
  start: async ({ modelUrl }) => {
    const request = { model: modelAt(modelUrl) };
    return {
      evaluate: (prompt, options) => evaluatePrompt({ prompt, request, ...options }),
      close: async () => {},
    };
  },
};
