import type { LanguageModel } from "ai";
import type { ModelInfo } from "../../shared/api.ts";

/** A model in the picker. */
export interface ModelEntry {
  readonly model: LanguageModel;
  readonly info: ModelInfo;
}
