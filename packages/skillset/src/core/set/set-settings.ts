import type { ToolRules } from "../allowed-tools/tool-rules.ts";
import type { CatalogDefaults } from "../catalog/catalog.ts";
import type { SkillHost } from "../host/skill-host.ts";
import type { SharedIndex } from "../search/shared-index.ts";
import type { SkillEmbedder } from "../search/skill-embedder.ts";

/**
 * What applies to a whole skillset: the budget and the pins of catalogs, what `allowed-tools` does, and the fields below.
 * A field that is added here, or to what this extends, does not compile without a rule in `MERGE`.
 */
export interface SetSettings extends CatalogDefaults, ToolRules {
  /** Adds the similarities of an embedding model to `rank()`. Undefined if no model is configured. */
  readonly embedding?: SkillEmbedder | undefined;
  /** The index of `rank()`. Sets that are made from one another share it, so that none indexes the same skills again. */
  readonly index?: SharedIndex | undefined;
  /**
   * Everything that runs code of the set's skills: where the files of their scripts are. Which one runs a skill is in
   * its entry. Undefined if nothing does.
   */
  readonly hosts?: readonly SkillHost[] | undefined;
  /**
   * False if the skills were loaded whatever they require.
   * @default true
   */
  readonly requirements?: boolean | undefined;
}
