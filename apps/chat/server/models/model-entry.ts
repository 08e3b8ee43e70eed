import type { LanguageModel } from "ai";
import type { ModelInfo } from "../../shared/api.ts";

/** A model that people can choose. */
export interface ModelEntry {
  readonly model: LanguageModel;
  readonly info: ModelInfo;
}
