import { SkillError } from "../base/errors.ts";
import type { OperationId } from "../operations/all.ts";
import { bindOperations, type OperationOptions } from "../operations/bind-operations.ts";
import { call } from "../operations/call-skill-tool.ts";
import { type ModelView, type OperationResult, settle } from "../operations/operation.ts";
import { escapeSkillTags } from "../session/activation.ts";
import type { SessionContext } from "../session/context.ts";
import type { Skill, SkillTool } from "../skill/skill.ts";
import { plainValue } from "../tool/plain-value.ts";
import { jsonSchemaOf } from "../tool/schema.ts";
import type { JsonSchema } from "../tool/standard-schema.ts";
import { wrapSchema } from "../tool/wrap-schema.ts";

/** One function that a model may call during a turn: an operation, or a tool of a skill. */
export interface TurnTool {
  /** Which operation it is; undefined for the tools of skills. */
  readonly id?: OperationId;
  /** The skill that it is a tool of. */
  readonly skill?: string;
  readonly name: string;
  readonly description: string;
  /** Always of an object, as providers want it. */
  readonly inputSchema: JsonSchema;
  /** Whether the model may call it now: the tools of a skill, as long as it is active. */
  isAvailable(): boolean;
  execute(input: unknown, options?: { readonly signal?: AbortSignal }): Promise<OperationResult>;
}

/** The tools of a skill are functions of their own, so nothing needs to dispatch to them. */
const DEFAULT_OPERATIONS: readonly OperationId[] = ["activate_skill", "read_skill_file"];

/** The operations of a turn, unless the host chooses others. The skill names are no enum, so that the list is stable. */
export function turnOperations(given: OperationOptions = {}): OperationOptions {
  return { maxEnumNames: 0, ...given, include: given.include ?? DEFAULT_OPERATIONS };
}

/** With `call_skill_tool` among the operations, that one calls the tools of skills, and they are no functions. */
export function hasOwnTools({ include = DEFAULT_OPERATIONS }: OperationOptions): boolean {
  return !include.includes("call_skill_tool");
}

/** Everything that a session's skills bring for a model that takes functions; `taken` are names of the host's own. */
export function createTurnTools(
  context: SessionContext,
  options: OperationOptions,
  taken: readonly string[],
  view: ModelView,
): readonly TurnTool[] {
  const operations = bindOperations(context, options, () => ({ view }));
  const clash = operations.find(({ name }) => taken.includes(name));
  if (clash !== undefined) {
    const message = `A tool of yours has the name of the operation '${clash.name}'; give the operation another one with 'aliases'.`;
    throw new SkillError("option-invalid", message);
  }
  const inOrder = oneAfterTheOther();
  const tools: TurnTool[] = operations.map((operation) => {
    const { id, execute } = operation;
    return {
      ...operation,
      isAvailable: () => true,
      // A skill that is asked for twice in one step is given once: each activation knows what those before it gave.
      ...(id === "activate_skill" && { execute: (input, options) => inOrder(() => execute(input, options)) }),
    };
  });
  if (!hasOwnTools(options)) return tools;
  const names = new Set([...taken, ...tools.map(({ name }) => name)]);
  for (const skill of context.skillset.skills) {
    for (const tool of skill.tools) tools.push(toTurnTool(context, skill, tool, names, view));
  }
  return tools;
}

function oneAfterTheOther(): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}

function toTurnTool(
  context: SessionContext,
  skill: Skill,
  tool: SkillTool,
  names: Set<string>,
  { active }: ModelView,
): TurnTool {
  const name = freeName(`${skill.name}__${tool.name}`, names);
  names.add(name);
  const schema = jsonSchemaOf(tool.inputSchema);
  const isObject = schema?.type === "object";
  return {
    skill: skill.name,
    name,
    description: tool.description,
    inputSchema: isObject ? schema : { ...wrapSchema(schema ?? {}, "input"), additionalProperties: false },
    isAvailable: () => active.has(skill.name),
    execute: (given, options) =>
      settle(async () => {
        if (!active.has(skill.name)) throw new SkillError("tool-not-found", `There is no function '${name}'.`);
        const input = isObject ? given : (given as { input?: unknown } | null)?.input;
        const result = await call(context, skill.name, tool.name, input, options);
        return {
          text: escapeSkillTags(result.text),
          data: { skill: skill.name, tool: tool.name, result: plainValue(result) },
        };
      }),
  };
}

/** Letters, digits, `_` and `-`, at most 64: what every provider takes. */
function freeName(wanted: string, taken: ReadonlySet<string>): string {
  const safe = wanted.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, LONGEST);
  if (!taken.has(safe)) return safe;
  for (let number = 2; ; number++) {
    const ending = `_${number}`;
    const next = safe.slice(0, LONGEST - ending.length) + ending;
    if (!taken.has(next)) return next;
  }
}

const LONGEST = 64;
