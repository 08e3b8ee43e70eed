import { SkillError } from "../base/errors.ts";
import { DEFAULTS } from "../base/limits.ts";
import type { SessionContext } from "../session/context.ts";
import type { SkillLookup } from "../skill/skill.ts";
import type { OptionTable } from "../text/check-options.ts";
import { type ModelTool, settle } from "../tool/model-tool.ts";
import type { JsonSchema } from "../tool/standard-schema.ts";
import { isToolName, TOOL_NAME_RULE } from "../tool/tool-name.ts";
import { OPERATIONS, type OperationId } from "./all.ts";
import type { OperationDefinition, OperationInput, OperationUse } from "./operation.ts";

/** Renames an operation and its arguments. Results use the new names too. */
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

/** Binds the operations to a session. `use` returns the context of each call. */
export function bindOperations(
  context: SessionContext,
  options: OperationOptions,
  use: () => OperationUse,
): readonly ModelTool[] {
  const {
    include = DEFAULT_OPERATIONS,
    aliases = {},
    maxEnumNames = DEFAULTS.enumNames,
    allowHidden = false,
    fixedList = false,
  } = options;
  const names = offeredNames(context, maxEnumNames);
  const hasHidden = allowHidden && hidesSkills(context.skillset);
  const anyName: JsonSchema = { type: "string", description: "The skill's name" };
  const offeredName = !fixedList && names.length <= maxEnumNames ? { ...anyName, enum: names } : anyName;
  const offered = definitionsOf(include).filter(({ isOffered }) => isOffered?.(context, { fixedList }) !== false);
  const advice = adviceFor(context, offered, aliases);
  const operations = offered.flatMap((definition) => {
    const usesHidden = hasHidden && definition.usesLoadedSkill;
    if (!fixedList && names.length === 0 && !usesHidden) return [];
    return [bind(definition, context, usesHidden ? anyName : offeredName, aliases[definition.id], use, advice)];
  });
  checkNames(operations.map(({ name }) => name));
  return operations;
}

/** Returns the operations by the names that the model sees, for the rules below the catalog. */
export function namedOperations(
  context: SessionContext,
  { include = DEFAULT_OPERATIONS, aliases = {}, fixedList = false }: OperationOptions,
): NamedOperations {
  return definitionsOf(include)
    .filter(({ isOffered }) => isOffered?.(context, { fixedList }) !== false)
    .map((definition) => ({ definition, name: aliases[definition.id]?.name ?? definition.id }));
}

/** Returns every name that an operation has or may get, so that no other tool takes it. */
export function operationNames({ aliases = {} }: OperationOptions): readonly string[] {
  return OPERATIONS.flatMap(({ id }) => [id, ...(aliases[id] ? [aliases[id].name] : [])]);
}

export type NamedOperations = readonly { readonly definition: Definition; readonly name: string }[];

type Definition = OperationDefinition<OperationId>;

const DEFAULT_OPERATIONS: readonly OperationId[] = [
  "activate_skill",
  "read_skill_file",
  "call_skill_tool",
  "run_skill_script",
  "search_skills",
];

function definitionsOf(include: readonly OperationId[]): readonly Definition[] {
  return include.map((id) => {
    const definition = OPERATIONS.find((one) => one.id === id);
    if (definition !== undefined) return definition;
    const known = OPERATIONS.map((one) => one.id).join(", ");
    throw new SkillError("option-invalid", `Unknown operation '${String(id)}'. Known operations: ${known}.`);
  });
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
function offeredNames({ memory, skillset }: SessionContext, maxEnumNames: number): string[] {
  const names: string[] = [];
  for (const { name, modelInvocable } of skillset.skills) {
    // The model may also use a skill that a user activated.
    if (!modelInvocable && !memory.active.has(name)) continue;
    names.push(name);
    if (names.length > maxEnumNames) break;
  }
  return names;
}

/** An alias renames the operation, its arguments and the matching fields of its results. */
function bind(
  definition: Definition,
  context: SessionContext,
  skillName: JsonSchema,
  alias: OperationAlias | undefined,
  use: () => OperationUse,
  advice: ErrorAdvice,
): ModelTool {
  const rename = (key: string): string => alias?.arguments?.[key] ?? key;
  const entries = Object.entries(definition.properties(skillName));
  const names = new Set(entries.map(([key]) => rename(key)));
  const argumentIn = (fields: OperationInput, key: string): unknown => {
    const [given, other] = [fields[rename(key)], OTHER_NAMES[key]];
    return given !== undefined || other === undefined || names.has(other) ? given : fields[other];
  };
  return {
    id: definition.id,
    name: alias?.name ?? definition.id,
    title: alias?.title ?? definition.title,
    description: definition.description,
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(entries.map(([key, schema]) => [rename(key), schema])),
      required: definition.required.map(rename),
      additionalProperties: false,
    },
    readOnly: definition.readOnly,
    isAvailable: () => true,
    execute: (input, { signal, scripts, takesFile } = {}) =>
      settle(async () => {
        const fields = fieldsOf(input);
        const given = Object.fromEntries(entries.map(([key]) => [key, argumentIn(fields, key)]));
        const working = definition.execute(context, given, { ...use(), signal, scripts, takesFile });
        const { text, data, files } = await working.catch((error: unknown) => Promise.reject(advice(error)));
        const renamed = Object.fromEntries(Object.entries(data).map(([key, value]) => [rename(key), value]));
        return { text, data: renamed, ...(files && { files }) };
      }),
  };
}

/** Names that models know from other designs. They are accepted if the argument's own name is missing. */
const OTHER_NAMES: Readonly<Record<string, string>> = { name: "skill_name", skill: "skill_name", tool: "tool_name" };

type ErrorAdvice = (error: unknown) => unknown;

/** Names the search to a model that used a wrong name, where the catalog does not list all of them. */
function adviceFor(
  { omitsNames }: SessionContext,
  offered: readonly Definition[],
  aliases: NonNullable<OperationOptions["aliases"]>,
): ErrorAdvice {
  const search = omitsNames ? offered.find(({ id }) => id === "search_skills") : undefined;
  if (search === undefined) return (error) => error;
  const name = aliases[search.id]?.name ?? search.id;
  return (error) =>
    error instanceof SkillError && error.code === "skill-not-found"
      ? new SkillError(error.code, `${error.message} Find skills with \`${name}\`.`, { cause: error })
      : error;
}

function fieldsOf(input: unknown): OperationInput {
  if (typeof input === "object" && input !== null && !Array.isArray(input)) return input as OperationInput;
  throw new SkillError("option-invalid", "The arguments must be an object.");
}
