import { SkillError } from "../base/errors.ts";

import type { SessionContext } from "../session/context.ts";
import type { ActivatedBy } from "../session/ledger.ts";
import type { OperationOutput } from "../tool/model-tool.ts";
import type { JsonSchema } from "../tool/standard-schema.ts";

/**
 * Everything about one thing that a model may do with skills: what the model is shown, the sentence about it in the
 * rules, and the work. Its telemetry attributes are in the same file; the event that it records is in `session/ledger.ts`.
 */
export interface OperationDefinition<Id extends string = string> {
  readonly id: Id;
  readonly title: string;
  readonly description: string;
  /** The arguments; `skillName` is the schema of an argument that names a skill. */
  properties(skillName: JsonSchema): Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
  /** It changes nothing outside the conversation. */
  readonly readOnly: boolean;
  /** It uses a skill whose instructions the model already has. */
  readonly usesLoadedSkill: boolean;
  /** The sentence below the catalog, for the name that the model knows the operation by. */
  rule?(name: string): string;
  execute(context: SessionContext, input: OperationInput, use: OperationUse): Promise<OperationOutput>;
}

export type OperationInput = Readonly<Record<string, unknown>>;

/** The circumstances of one call. */
export interface OperationUse {
  readonly signal?: AbortSignal | undefined;
  /** What the model is about to see, when that is known. */
  readonly view?: ModelView | undefined;
  /** Who may use this skill: a skill that a person chose can be used although the catalog does not list it. */
  readonly by?: ((skill: string) => ActivatedBy) | undefined;
}

/** What the model of one turn is about to see, and which skills are active for it. */
export interface ModelView {
  held: readonly string[];
  readonly active: Set<string>;
}

/** An argument that must be a string. */
export function stringArgument(input: OperationInput, name: string): string {
  const value = input[name];
  if (typeof value === "string") return value;
  throw new SkillError("option-invalid", `'${name}' must be a text.`);
}
