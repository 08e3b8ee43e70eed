import { wrapLanguageModel } from "ai";
import type { ProviderModel } from "../models/lazy-model.ts";

type Prompt = Parameters<ProviderModel["doStream"]>[0]["prompt"];

/** Sends text files as texts of the message: not every provider accepts them as files. */
export function inlineTexts(model: ProviderModel): ProviderModel {
  return wrapLanguageModel({
    model,
    middleware: { transformParams: async ({ params }) => ({ ...params, prompt: params.prompt.map(inlined) }) },
  });
}

function inlined(message: Prompt[number]): Prompt[number] {
  if (message.role !== "user") return message;
  const content = message.content.map((part) =>
    part.type === "file" && part.data.type === "text" ? { type: "text" as const, text: part.data.text } : part,
  );
  return { ...message, content };
}
