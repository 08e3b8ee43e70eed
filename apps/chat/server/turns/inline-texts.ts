import type { ProviderModel } from "../models/lazy-model.ts";

type Prompt = Parameters<ProviderModel["doStream"]>[0]["prompt"];

/** Sends text files as texts of the message: not every provider accepts them as files. */
export function inlineTexts(model: ProviderModel): ProviderModel {
  return {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    get supportedUrls() {
      return model.supportedUrls;
    },
    doGenerate: (options) => model.doGenerate({ ...options, prompt: options.prompt.map(inlined) }),
    doStream: (options) => model.doStream({ ...options, prompt: options.prompt.map(inlined) }),
  };
}

function inlined(message: Prompt[number]): Prompt[number] {
  if (message.role !== "user") return message;
  const content = message.content.map((part) =>
    part.type === "file" && part.data.type === "text" ? { type: "text" as const, text: part.data.text } : part,
  );
  return { ...message, content };
}
