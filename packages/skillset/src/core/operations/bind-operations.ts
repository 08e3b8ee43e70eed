import { SkillError } from "../base/errors.ts";
import { DEFAULTS } from "../base/limits.ts";
import { scriptHostsOf } from "../host/skill-host.ts";
import type { Conversation } from "../session/conversation.ts";
import { type Listing, omitsNames } from "../session/omits-names.ts";
import type { SkillLookup } from "../skill/skill.ts";
import type { OptionTable } from "../text/check-options.ts";
import { settle } from "../tool/model-tool.ts";
import type { JsonSchema } from "../tool/standard-schema.ts";
import { isToolName, TOOL_NAME_RULE } from "../tool/tool-name.ts";
import { DEFAULT_OPERATIONS, isOperationId, OPERATION_IDS, OPERATIONS } from "./all.ts";
import type { OperationTool } from "./model-tool.ts";
import type { OperationArguments, OperationDefinition, OperationOffer, OperationUse } from "./operation.ts";
import type { OperationId } from "./operation-data.ts";
import { searchSkills } from "./search-skills.ts";

/** Renames an operation and its arguments. Structured content for a model uses the new names too. */
export interface OperationAlias {
  /** The operation's new name. */
  readonly name: string;
  /** The display name. */
  readonly title?: string;
  /** New names of arguments, by their original names. */
  readonly arguments?: Readonly<Record<string, string>>;
}

export const OPERATION_OPTIONS: OptionTable<OperationOptions> = {
  include: true,
  aliases: true,
  maxEnumNames: true,
  fixedList: true,
  allowHidden: true,
};

export interface OperationOptions {
  /**
   * The operations to include. In a turn, `call_skill_tool` is not included by default.
   * `run_skill_script` is left out where no script can run, and `search_skills` where the catalog lists every name.
   * @default ["activate_skill", "read_skill_file", "call_skill_tool", "run_skill_script", "search_skills"]
   */
  readonly include?: readonly OperationId[];
  /** New names, by operation. */
  readonly aliases?: Partial<Readonly<Record<OperationId, OperationAlias>>>;
  /**
   * Up to this many skill names are an enum in the schema. More names cost more tokens than they help.
   * @default 50
   */
  readonly maxEnumNames?: number;
  /**
   * Returns the same list for any skills, even none, for clients that list the tools only once.
   * @default false
   */
  readonly fixedList?: boolean;
  /**
   * Allows the files and tools of skills that are hidden from the model, if people can load those without this session.
   * @default false
   */
  readonly allowHidden?: boolean;
}

/** Where operations are used. */
export interface OperationSetting {
  /** Returns the context of each call. */
  readonly use?: () => OperationUse;
  readonly listing?: Listing;
}

/** Binds the operations to a session. */
export function bindOperations(
  context: Conversation,
  options: OperationOptions,
  { use = () => ({}), listing = {} }: OperationSetting = {},
): readonly OperationTool[] {
  const {
    include = DEFAULT_OPERATIONS,
    aliases = {},
    maxEnumNames = DEFAULTS.enumNames,
    allowHidden = false,
    fixedList = false,
  } = options;
  const names = offeredNames(context, maxEnumNames);
  const hasHidden = allowHidden && hidesSkills(context.skillset);
  const offeredName = !fixedList && names.length <= maxEnumNames ? { ...ANY_NAME, enum: names } : ANY_NAME;
  const offered = offeredIds(context, { include, fixedList }, listing);
  const advice = omitsNames(context, listing) ? adviceFor(offered, aliases) : asItIs;
  const operations = offered.flatMap((id) => {
    const usesHidden = hasHidden && OPERATIONS[id].usesLoadedSkill;
    if (!fixedList && names.length === 0 && !usesHidden) return [];
    return [bind(id, () => context, usesHidden ? ANY_NAME : offeredName, aliases[id], use, advice)];
  });
  checkNames(operations.map(({ name }) => name));
  return operations;
}

/** Binds one operation under its own name, for skills with these names. Its first call opens the conversation. */
export function bindOperation<Id extends OperationId>(
  id: Id,
  names: readonly string[],
  open: () => Promise<Conversation>,
  use: () => OperationUse,
): OperationTool<Id> {
  const skillName = names.length <= DEFAULTS.enumNames ? { ...ANY_NAME, enum: names } : ANY_NAME;
  return bind(id, open, skillName, undefined, use, asItIs);
}

const ANY_NAME: JsonSchema = { type: "string", description: "The skill's name" };

/** Returns the operations by the names that the model sees, for the rules below the catalog. */
export function namedOperations(
  context: Conversation,
  { include = DEFAULT_OPERATIONS, aliases = {}, fixedList = false }: OperationOptions,
  listing: Listing = {},
): NamedOperations {
  return offeredIds(context, { include, fixedList }, listing).map((id) => ({
    definition: OPERATIONS[id],
    name: aliases[id]?.name ?? id,
  }));
}

/** Returns every name that an operation has or may get, so that no other tool takes it. */
export function operationNames({ aliases = {} }: OperationOptions): readonly string[] {
  return OPERATION_IDS.flatMap((id) => [id, ...(aliases[id] ? [aliases[id].name] : [])]);
}

export type NamedOperations = readonly { readonly definition: AnyDefinition; readonly name: string }[];

type AnyDefinition = (typeof OPERATIONS)[OperationId];

function offeredIds(
  context: Conversation,
  { include, fixedList }: { readonly include: readonly OperationId[]; readonly fixedList: boolean },
  listing: Listing,
): readonly OperationId[] {
  const unknown = include.find((id) => !isOperationId(id));
  if (unknown !== undefined) {
    const known = OPERATION_IDS.join(", ");
    throw new SkillError("option-invalid", `Unknown operation '${String(unknown)}'. Known operations: ${known}.`);
  }
  const offer: OperationOffer = {
    fixedList,
    canRunScripts: scriptHostsOf(context.skillset).length > 0,
    hasScripts: context.hasScripts,
    omitsNames: () => omitsNames(context, listing),
  };
  return include.filter((id) => OPERATIONS[id].isOffered?.(offer) !== false);
}

/** Providers reject other names, and identify a function by its name only. */
function checkNames(names: readonly string[]): void {
  const wrong = names.find((name, index) => !isToolName(name) || names.indexOf(name) !== index);
  if (wrong === undefined) return;
  const message = `Invalid operation name '${wrong}': use ${TOOL_NAME_RULE}, and each name only once.`;
  throw new SkillError("option-invalid", message);
}

/** Whether any skill is hidden from models. Computed once per skillset, which may have ten thousand skills. */
function hidesSkills(skillset: SkillLookup): boolean {
  let hides = HIDING.get(skillset);
  if (hides === undefined) {
    hides = skillset.skills.some(({ modelInvocable, userInvocable }) => !modelInvocable && userInvocable);
    HIDING.set(skillset, hides);
  }
  return hides;
}

const HIDING = new WeakMap<SkillLookup, boolean>();

/** Returns at most one name more than an enum may have, so that a call does not walk ten thousand skills. */
function offeredNames({ memory, skillset }: Conversation, maxEnumNames: number): string[] {
  const names: string[] = [];
  for (const { name, modelInvocable } of skillset.skills) {
    // The model may also use a skill that a user activated.
    if (!modelInvocable && !memory.active.has(name)) continue;
    names.push(name);
    if (names.length > maxEnumNames) break;
  }
  return names;
}

/** An alias renames the operation and its arguments. `data` keeps its own names: code reads it by the operation's id. */
function bind<Id extends OperationId>(
  id: Id,
  open: () => Conversation | Promise<Conversation>,
  skillName: JsonSchema,
  alias: OperationAlias | undefined,
  use: () => OperationUse,
  advice: ErrorAdvice,
): OperationTool<Id> {
  const definition: OperationDefinition<Id> = OPERATIONS[id];
  const renamed = alias?.arguments ?? {};
  const rename = (key: string): string => renamed[key] ?? key;
  const entries = Object.entries<JsonSchema>(definition.properties(skillName));
  const names = new Set(entries.map(([key]) => rename(key)));
  const argumentIn = (fields: OperationArguments, key: string): unknown => {
    const [given, other] = [fields[rename(key)], OTHER_NAMES[key]];
    return given !== undefined || other === undefined || names.has(other) ? given : fields[other];
  };
  return {
    id,
    name: alias?.name ?? id,
    title: alias?.title ?? definition.title,
    description: definition.description,
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(entries.map(([key, schema]) => [rename(key), schema])),
      required: definition.required.map(rename),
      additionalProperties: false,
    },
    readOnly: definition.readOnly,
    ...(alias?.arguments && { renamed }),
    isAvailable: () => true,
    execute: (input, { signal, scripts, takesFile } = {}) =>
      settle(async () => {
        const context = await open();
        const fields = fieldsOf(input);
        const given = Object.fromEntries(entries.map(([key]) => [key, argumentIn(fields, key)]));
        try {
          return await definition.execute(context, definition.read(given), { ...use(), signal, scripts, takesFile });
        } catch (error) {
          throw advice(error);
        }
      }),
  };
}

/** Names that models know from other designs. They are accepted if the argument's own name is missing. */
const OTHER_NAMES: Readonly<Record<string, string>> = { name: "skill_name", skill: "skill_name", tool: "tool_name" };

type ErrorAdvice = (error: unknown) => unknown;

const asItIs: ErrorAdvice = (error) => error;

/** Names the search to a model that used a wrong name, where the catalog does not list all of them. */
function adviceFor(offered: readonly OperationId[], aliases: NonNullable<OperationOptions["aliases"]>): ErrorAdvice {
  if (!offered.includes(searchSkills.id)) return asItIs;
  const name = aliases[searchSkills.id]?.name ?? searchSkills.id;
  return (error) =>
    error instanceof SkillError && error.code === "skill-not-found"
      ? new SkillError(error.code, `${error.message} Find skills with \`${name}\`.`, { cause: error })
      : error;
}

function fieldsOf(input: unknown): OperationArguments {
  if (typeof input === "object" && input !== null && !Array.isArray(input)) return { ...input };
  throw new SkillError("option-invalid", "The arguments must be an object.");
}
