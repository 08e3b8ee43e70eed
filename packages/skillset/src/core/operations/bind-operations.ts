import { SkillError } from "../base/errors.ts";
import { DEFAULTS } from "../base/limits.ts";
import type { SessionContext } from "../session/context.ts";
import type { SkillLookup } from "../skill/skill.ts";
import { type ModelTool, settle } from "../tool/model-tool.ts";
import type { JsonSchema } from "../tool/standard-schema.ts";
import { isToolName, TOOL_NAME_RULE } from "../tool/tool-name.ts";
import { OPERATIONS, type OperationId } from "./all.ts";
import type { OperationDefinition, OperationInput, OperationUse } from "./operation.ts";

/** Another name for an operation, with other names for its arguments; results use them too. */
export interface OperationAlias {
  readonly name: string;
  readonly title?: string;
  readonly arguments?: Readonly<Record<string, string>>;
}

export interface OperationOptions {
  /** Which operations; the three that every skill may need by default. */
  readonly include?: readonly OperationId[];
  readonly aliases?: Partial<Readonly<Record<OperationId, OperationAlias>>>;
  /**
   * With at most so many skills, their names are an enum in the schema: past that it costs more than it helps.
   * @default 50
   */
  readonly maxEnumNames?: number;
  /** Return the same list whatever skills there are, also none: for clients that list the tools only once. */
  readonly fixedList?: boolean;
  /** Allow the files and tools of skills that are hidden from the model, where people can load those past this session. */
  readonly allowHidden?: boolean;
}

/** The operations of a session; `use` gives the circumstances of a call that is about to be made. */
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
  const operations = definitionsOf(include).flatMap((definition) => {
    const usesHidden = hasHidden && definition.usesLoadedSkill;
    if (!fixedList && names.length === 0 && !usesHidden) return [];
    return [bind(definition, context, usesHidden ? anyName : offeredName, aliases[definition.id], use)];
  });
  checkNames(operations.map(({ name }) => name));
  return operations;
}

/** The operations under the names that a model knows them by, for the rules below the catalog. */
export function namedOperations({ include = DEFAULT_OPERATIONS, aliases = {} }: OperationOptions): NamedOperations {
  return definitionsOf(include).map((definition) => ({
    definition,
    name: aliases[definition.id]?.name ?? definition.id,
  }));
}

/** Every name that an operation has or could have, so that nothing else is called so. */
export function operationNames({ aliases = {} }: OperationOptions): readonly string[] {
  return OPERATIONS.flatMap(({ id }) => [id, ...(aliases[id] ? [aliases[id].name] : [])]);
}

export type NamedOperations = readonly { readonly definition: Definition; readonly name: string }[];

type Definition = OperationDefinition<OperationId>;

const DEFAULT_OPERATIONS: readonly OperationId[] = ["activate_skill", "read_skill_file", "call_skill_tool"];

function definitionsOf(include: readonly OperationId[]): readonly Definition[] {
  return include.map((id) => {
    const definition = OPERATIONS.find((one) => one.id === id);
    if (definition !== undefined) return definition;
    const known = OPERATIONS.map((one) => one.id).join(", ");
    throw new SkillError("option-invalid", `There is no operation '${String(id)}'. Known operations: ${known}.`);
  });
}

/** Providers refuse other names, and know a function by its name alone. */
function checkNames(names: readonly string[]): void {
  const wrong = names.find((name, index) => !isToolName(name) || names.indexOf(name) !== index);
  if (wrong === undefined) return;
  const message = `An operation cannot be called '${wrong}': names are ${TOOL_NAME_RULE}, and each is used once.`;
  throw new SkillError("option-invalid", message);
}

/** Whether there are skills for people alone; looked for once in a set, because a set may have ten thousand. */
function hidesSkills(skillset: SkillLookup): boolean {
  let hides = HIDING.get(skillset);
  if (hides === undefined) {
    hides = skillset.skills.some(({ modelInvocable, userInvocable }) => !modelInvocable && userInvocable);
    HIDING.set(skillset, hides);
  }
  return hides;
}

const HIDING = new WeakMap<SkillLookup, boolean>();

/** At most one more than an enum may have, which shows that they are too many: ten thousand are not walked for a call. */
function offeredNames({ memory, skillset }: SessionContext, maxEnumNames: number): string[] {
  const names: string[] = [];
  for (const { name, modelInvocable } of skillset.skills) {
    // A skill that a person activated is the model's to use as well.
    if (!modelInvocable && !memory.active.has(name)) continue;
    names.push(name);
    if (names.length > maxEnumNames) break;
  }
  return names;
}

/** An alias renames the operation, its arguments and the same fields of its results together. */
function bind(
  definition: Definition,
  context: SessionContext,
  skillName: JsonSchema,
  alias: OperationAlias | undefined,
  use: () => OperationUse,
): ModelTool {
  const rename = (key: string): string => alias?.arguments?.[key] ?? key;
  const entries = Object.entries(definition.properties(skillName));
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
    execute: (input, { signal } = {}) =>
      settle(async () => {
        const fields = fieldsOf(input);
        const given = Object.fromEntries(entries.map(([key]) => [key, fields[rename(key)]]));
        const { text, data } = await definition.execute(context, given, { ...use(), signal });
        return { text, data: Object.fromEntries(Object.entries(data).map(([key, value]) => [rename(key), value])) };
      }),
  };
}

function fieldsOf(input: unknown): OperationInput {
  if (typeof input === "object" && input !== null && !Array.isArray(input)) return input as OperationInput;
  throw new SkillError("option-invalid", "The arguments must be an object.");
}
