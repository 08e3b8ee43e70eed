import { SkillError } from "../base/errors.ts";
import type { ActivatedBy } from "../conversation/state.ts";
import type { CallHooks } from "../script/script.ts";
import type { Conversation } from "../session/conversation.ts";
import type { OperationOutput } from "../tool/model-tool.ts";
import type { JsonSchema } from "../tool/standard-schema.ts";
import type { OperationData, OperationId, OperationInput } from "./operation-data.ts";

/**
 * Defines one operation on skills: what the model sees, its line in the rules, and its implementation. Its telemetry
 * attributes are in the same file. The event that it records is in `session/ledger.ts`.
 */
export interface OperationDefinition<Id extends OperationId> {
  readonly id: Id;
  readonly title: string;
  readonly description: string;
  /** Returns the arguments. `skillName` is the schema for a skill's name. */
  properties(skillName: JsonSchema): Readonly<Record<keyof OperationInput[Id], JsonSchema>>;
  readonly required: readonly (keyof OperationInput[Id] & string)[];
  /** Changes nothing outside the conversation. */
  readonly readOnly: boolean;
  /** Uses a skill whose instructions the model already has. */
  readonly usesLoadedSkill: boolean;
  /** What a result has of a skill: its instructions or a file, the output of its code, or neither. */
  readonly returns: "skill-text" | "skill-output" | "report";
  /** Whether models get the operation unless the host chooses. */
  readonly isDefault: boolean;
  /** Whether the session has the operation. Always, if omitted. */
  isOffered?(offer: OperationOffer): boolean;
  /** Returns the line below the catalog. `name` is the operation's name as the model sees it. */
  rule?(name: string): string;
  /** Reads the arguments that a model wrote, by their original names. Throws what the model reads if one is wrong. */
  read(given: OperationArguments): OperationInput[Id];
  execute(
    context: Conversation,
    input: OperationInput[Id],
    use: OperationUse,
  ): Promise<OperationOutput<OperationData[Id]>>;
}

/** What decides whether an operation is offered. */
export interface OperationOffer {
  /** Whether the list must be the same for any skills. */
  readonly fixedList: boolean;
  /** Whether something runs scripts. */
  readonly canRunScripts: boolean;
  /** Whether a skill has scripts, and something runs them. */
  readonly hasScripts: boolean;
  /** Whether the model has not seen the names of all skills. */
  omitsNames(): boolean;
}

/** Arguments as a model wrote them. */
export type OperationArguments = Readonly<Record<string, unknown>>;

/** The context of one call. */
export interface OperationUse {
  readonly signal?: AbortSignal | undefined;
  /** What the model is about to see, if known. */
  readonly view?: ModelView | undefined;
  /** Who uses the skill. A skill that a user chose can be used even if the catalog does not list it. */
  readonly by?: ((skill: string) => ActivatedBy) | undefined;
  /** Consent and live output for a script of this call. */
  readonly scripts?: CallHooks | undefined;
  /** Whether the model can be given a file with this media type. */
  readonly takesFile?: ((mediaType: string) => boolean) | undefined;
}

/** What the model is about to see in one turn, and which skills are active. */
export interface ModelView {
  held: readonly string[];
  readonly active: Set<string>;
}

/** Returns an argument that must be a string, with a value in it. */
export function stringArgument(given: OperationArguments, name: string): string {
  const value = given[name];
  if (value === "") throw new SkillError("option-invalid", `'${name}' must not be empty.`);
  if (typeof value === "string") return value;
  throw new SkillError("option-invalid", `'${name}' must be a string.`);
}
