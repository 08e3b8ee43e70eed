import { type ScriptedModel, type ScriptedModelOptions, type ScriptStep, startScriptedModel } from "@skillset/testing";

/** Starts a model that takes its next steps from a list, for any chat. */
export function startQueuedModel(steps: ScriptStep[], options: ScriptedModelOptions = {}): Promise<ScriptedModel> {
  const next: ScriptStep = async (request) => {
    const step = steps.shift() ?? { say: "The script is over." };
    return typeof step === "function" ? step(request) : step;
  };
  return startScriptedModel(Array<ScriptStep>(100).fill(next), { pace: "global", ...options });
}
