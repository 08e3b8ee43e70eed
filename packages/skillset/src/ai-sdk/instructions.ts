import type { Instructions, SystemModelMessage } from "ai";
import { SkillError } from "../index.ts";

/** The two names of the system prompt in the AI SDK. */
export interface SystemPrompt {
  /** Your system prompt. The catalog is appended to it. */
  readonly instructions?: Instructions | undefined;
  /** The former name of `instructions`. Set one of the two. */
  readonly system?: Instructions | undefined;
}

/** Returns the system prompt of a request. With both names the SDK would ignore one of them. */
export function systemPromptOf({ instructions, system }: SystemPrompt): Instructions | undefined {
  if (instructions !== undefined && system !== undefined)
    throw new SkillError(
      "option-invalid",
      "'request.system' is the former name of 'request.instructions': set only one.",
    );
  return instructions ?? system;
}

/**
 * Appends the catalog, unless the instructions have it: those of a step are sent with the next one too. A string stays a
 * string, because some endpoints accept only one system message.
 */
export function appendCatalog(instructions: Instructions | undefined, catalog: string): Instructions {
  if (catalog === "" || textsIn(instructions).some((text) => text.includes(catalog))) return instructions ?? "";
  if (instructions === undefined || typeof instructions === "string")
    return [instructions, catalog].filter(Boolean).join("\n\n");
  const added: SystemModelMessage = { role: "system", content: catalog };
  return [...[instructions].flat(), added];
}

/** The texts of a system prompt. */
export function textsIn(instructions: Instructions | undefined): readonly string[] {
  if (instructions === undefined || typeof instructions === "string") return [instructions ?? ""];
  return [instructions].flat().map(({ content }) => content);
}
