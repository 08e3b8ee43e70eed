import { OPERATION_IDS } from "../../../packages/skillset/src/core/operations/all.ts";
import type { ContractAdapter } from "../../../packages/testing/src/index.ts";
import { startScriptedModel } from "../../../packages/testing/src/index.ts";
import { aiSdkAgent, aiSdkStream } from "../adapters/ai-sdk.ts";
import { anthropic } from "../adapters/anthropic.ts";
import { openaiChat, openaiResponses } from "../adapters/openai.ts";
import { openaiAgents } from "../adapters/openai-agents.ts";
import { openSkills, type Surface, scriptOf, seenIn } from "./surface.ts";

/** Our loop's sentence. */
const LOOP = /^There is no function 'run_skill_script'\.$/;

/** Agents of the adapters, as the contract starts them. */
export const ADAPTERS = {
  "AI SDK, streamText": adapterSurface(aiSdkStream, /unavailable tool 'run_skill_script'/),
  "AI SDK, ToolLoopAgent": adapterSurface(aiSdkAgent, /unavailable tool 'run_skill_script'/),
  "OpenAI Responses": adapterSurface(openaiResponses, LOOP),
  "OpenAI Chat": adapterSurface(openaiChat, LOOP),
  "OpenAI Agents": adapterSurface(openaiAgents, /Tool 'run_skill_script' not found/),
  "Anthropic Messages": adapterSurface(anthropic, LOOP),
};

function adapterSurface(adapter: ContractAdapter, refusal: RegExp): Surface {
  return {
    refusal,
    play: async (world) => {
      const { telemetry, events } = world;
      const model = await startScriptedModel(scriptOf(world), { isSide: () => false });
      const session = { telemetry };
      const operations = { include: OPERATION_IDS };
      const agent = await adapter.start({ skills: await openSkills(world), modelUrl: model.url, session, operations });
      try {
        await agent.say("Tea, please.");
        return { ...seenIn(model.requests), events };
      } finally {
        await agent.close();
        await model.close();
      }
    },
  };
}
