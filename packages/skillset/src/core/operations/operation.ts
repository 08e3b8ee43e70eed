import { SkillError } from "../base/errors.ts";
import type { ActivatedBy } from "../conversation/state.ts";
import type { ScriptHooks } from "../script/script.ts";
import type { SessionContext } from "../session/context.ts";
import type { OperationOutput } from "../tool/model-tool.ts";
import type { JsonSchema } from "../tool/standard-schema.ts";

/**
 * Defines one operation on skills: what the model sees, its line in the rules, and its implementation. Its telemetry
 * attributes are in the same file. The event that it records is in `session/ledger.ts`.
 */
export interface OperationDefinition<Id extends string = string> {
  readonly id: Id;
  readonly title: string;
  readonly description: string;
  /** Returns the arguments. `skillName` is the schema for a skill's name. */
  properties(skillName: JsonSchema): Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
  /** Changes nothing outside the conversation. */
  readonly readOnly: boolean;
  /** Uses a skill whose instructions the model already has. */
  readonly usesLoadedSkill: boolean;
  /** Whether the session has the operation. Always, if omitted. */
  isOffered?(context: SessionContext, options: { readonly fixedList: boolean }): boolean;
  /** Returns the line below the catalog. `name` is the operation's name as the model sees it. */
  rule?(name: string): string;
  execute(context: SessionContext, input: OperationInput, use: OperationUse): Promise<OperationOutput>;
}

export type OperationInput = Readonly<Record<string, unknown>>;

/** The context of one call. */
export interface OperationUse {
  readonly signal?: AbortSignal | undefined;
  /** What the model is about to see, if known. */
  readonly view?: ModelView | undefined;
  /** Who uses the skill. A skill that a user chose can be used even if the catalog does not list it. */
  readonly by?: ((skill: string) => ActivatedBy) | undefined;
  /** Consent and live output for a script of this call. */
  readonly scripts?: ScriptHooks | undefined;
  /** Whether the model can be given a file with this media type. */
  readonly takesFile?: ((mediaType: string) => boolean) | undefined;
}

/** What the model is about to see in one turn, and which skills are active. */
export interface ModelView {
  held: readonly string[];
  readonly active: Set<string>;
}

/** Returns an argument that must be a string, with a value in it. */
export function stringArgument(input: OperationInput, name: string): string {
  const value = input[name];
  if (value === "") throw new SkillError("option-invalid", `'${name}' must not be empty.`);
  if (typeof value === "string") return value;
  throw new SkillError("option-invalid", `'${name}' must be a string.`);
}

/** Returns the argument `skill`. Models also write `name`, as when they activate a skill. */
export function skillArgument({ skill, name }: OperationInput): string {
  return stringArgument({ skill: skill ?? name }, "skill");
}
