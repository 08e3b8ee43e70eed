import type { AllowedToolsPolicy } from "../allowed-tools/decide-call.ts";
import type { Problem } from "../base/problem.ts";
import type { CatalogDefaults } from "../catalog/catalog.ts";
import type { SkillHost } from "../host/skill-host.ts";
import type { SelectOptions, SkillCandidate } from "../source/select.ts";

/** A profile as a loader uses it. */
export interface LoadedProfile {
  readonly problems: readonly Problem[];
  readonly allowedTools?: AllowedToolsPolicy;
  readonly catalog: CatalogDefaults;
  filter(candidates: readonly SkillCandidate[]): Promise<readonly SkillCandidate[]>;
  narrow(options: SelectOptions): SelectOptions;
  /** Returns what may run the code of a skill that comes with a host. */
  narrowHost(host: SkillHost): SkillHost;
}
