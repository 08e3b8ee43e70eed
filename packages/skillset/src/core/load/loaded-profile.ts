import type { AllowedToolsPolicy } from "../allowed-tools/decide-call.ts";
import type { Problem } from "../base/problem.ts";
import type { CatalogDefaults } from "../catalog/catalog.ts";
import type { SelectOptions, SkillCandidate } from "../source/select.ts";

/** A profile as a loader uses it. */
export interface LoadedProfile {
  readonly problems: readonly Problem[];
  readonly allowedTools?: AllowedToolsPolicy;
  readonly catalog: CatalogDefaults;
  filter(candidates: readonly SkillCandidate[]): Promise<readonly SkillCandidate[]>;
  narrow(options: SelectOptions): SelectOptions;
}
