import type { AllowedToolsPolicy } from "../allowed-tools/decide-call.ts";
import type { ToolNames } from "../allowed-tools/judged-call.ts";
import type { Problem } from "../base/problem.ts";
import type { CatalogDefaults } from "../catalog/catalog.ts";
import type { PolicyOptions } from "../manifest/policy.ts";
import type { Embedding } from "../search/embedding.ts";
import type { SkillEmbedder } from "../search/skill-embedder.ts";
import type { SelectOptions } from "../source/select.ts";
import type { OptionTable } from "../text/check-options.ts";
import { warnOfProblem } from "./report-problems.ts";

/** The variables that a host supplies: their names, or a function that decides on a name. */
export type SuppliedEnv = readonly string[] | ((name: string) => boolean);

/** The options of `createSkillset` that need no files and no programs. */
export interface LoadOptions extends SelectOptions, PolicyOptions {
  /**
   * The names that skills may require with `metadata.env`, or a function that decides on a name.
   * @default the variables of `process.env` that are not empty
   */
  readonly env?: SuppliedEnv;
  /**
   * What `allowed-tools` of active skills does: nothing (`off`), records calls outside it (`log`), or denies them
   * (`enforce`).
   * @default "log"
   */
  readonly allowedTools?: AllowedToolsPolicy;
  /**
   * Your names for tools, by the names that authors of skills write, such as `{ Bash: "shell" }`.
   * @default {}
   */
  readonly toolNames?: ToolNames;
  /**
   * The budget of catalogs, and the skills that keep their description where it is short.
   * @default { budget: { tokens: 8000 } }
   */
  readonly catalog?: CatalogDefaults;
  /**
   * A model that finds skills also by meaning: an embedding model of the AI SDK, or a function. It gets the names and
   * descriptions of the skills and the queries of `skillset.rank()`, which searches and suggestions use too.
   */
  readonly embedding?: Embedding;
  /** Aborts the load. */
  readonly signal?: AbortSignal;
  /** Called regularly with the number of skills found so far. */
  readonly onProgress?: (found: number) => void;
  /**
   * Called with each problem that loading finds, and with each new one after a reload.
   * @default writes one line to stderr for each broken or locked skill, once per process
   */
  readonly onProblem?: (problem: Problem) => void;
}

export const LOAD_OPTIONS: OptionTable<LoadOptions> = {
  env: true,
  allowedTools: true,
  toolNames: true,
  catalog: true,
  embedding: true,
  signal: true,
  onProgress: true,
  onProblem: true,
  policy: true,
  unknownFields: true,
  extensions: true,
  asciiNames: true,
  enabled: true,
  disabled: true,
  maxSkills: true,
  collisions: true,
  requirements: true,
};

/** Loaded when it is used: most programs have no embedding model. */
export async function openEmbedder({
  embedding,
  onProblem = warnOfProblem,
}: LoadOptions): Promise<SkillEmbedder | undefined> {
  if (embedding === undefined) return undefined;
  const { SkillEmbedder } = await import("../search/skill-embedder.ts");
  return new SkillEmbedder(embedding, onProblem);
}
