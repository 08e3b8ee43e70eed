import type { ModelInfo } from "../../shared/api.ts";
import type { ProviderModel } from "./lazy-model.ts";

/** A model in the picker. */
export interface ModelEntry {
  readonly model: ProviderModel;
  readonly info: ModelInfo;
  /** The size of a request above which earlier messages are left out. */
  readonly maxPromptTokens?: number | undefined;
}
