import type { ModelInfo } from "../../shared/api.ts";
import type { ModelPrice } from "../config/models-config.ts";
import type { ProviderModel } from "./lazy-model.ts";

/** A model in the picker. */
export interface ModelEntry {
  readonly model: ProviderModel;
  readonly info: ModelInfo;
  /** The files that it reads. None if omitted. */
  readonly reads?: { readonly images: boolean; readonly pdf: boolean };
  /** The size of a request above which earlier messages are left out. */
  readonly maxPromptTokens?: number | undefined;
  readonly price?: ModelPrice | undefined;
}
