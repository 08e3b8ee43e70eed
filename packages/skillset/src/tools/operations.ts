import { closeNothing } from "../core/activation.ts";
import type { ToolResult } from "../core/call-tool.ts";
import { SkillError } from "../core/errors.ts";
import { toModelMessage } from "../core/model-message.ts";
import type { Session } from "../core/session.ts";
import type { OperationNames } from "../core/session-rules.ts";
import type { JsonSchema } from "../core/skill.ts";
import type { Skillset } from "../core/skillset.ts";

/** What a model may do with skills, in no SDK's shape. */
export interface SkillOperation {
  /** What it is, whatever it is called. */
  readonly id: OperationId;
  /** Safe for every provider: letters, digits, `_` and `-`. */
  readonly name: string;
  /** How people see it. */
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** It changes nothing outside the conversation. */
  readonly readOnly: boolean;
  execute(input: unknown, options?: { readonly signal?: AbortSignal }): Promise<OperationResult>;
}

/** What a model is told, and the same for code. An error is a result too: the conversation goes on. */
export type OperationResult =
  | { readonly isError: false; readonly text: string; readonly data: Readonly<Record<string, unknown>> }
  | { readonly isError: true; readonly text: string; readonly code: string };

export type OperationId = "activate_skill" | "read_skill_file" | "call_skill_tool" | "deactivate_skill";

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
  /** Names are an enum while they are at most so many: past that they cost more than they help. */
  readonly enumLimit?: number;
  /** The same operations whatever skills there are, also none: for clients that ask once what is on offer. */
  readonly stable?: boolean;
  /** People reach skills past this session, so the files and tools of one that the model cannot see must be usable. */
  readonly handsOver?: boolean;
}

/** The operations on offer for a session; none for an empty set. */
export function createOperations(session: Session, options: OperationOptions = {}): readonly SkillOperation[] {
  const { include = DEFAULT_OPERATIONS, aliases = {}, enumLimit = 50, handsOver = false, stable = false } = options;
  const names = offeredNames(session, enumLimit);
  const hasHidden = handsOver && hidesSkills(session.skillset);
  const anyName: JsonSchema = { type: "string", description: "The skill's name" };
  const offeredName = !stable && names.length <= enumLimit ? { ...anyName, enum: names } : anyName;
  const operations = include
    .filter((id) => stable || names.length > 0 || (hasHidden && USES.has(id)))
    .map((id) => bind(DEFINITIONS[id](hasHidden && USES.has(id) ? anyName : offeredName), session, aliases[id]));
  checkNames(operations.map(({ name }) => name));
  return operations;
}

/** Providers refuse other names, and know a function by its name alone. */
function checkNames(names: readonly string[]): void {
  const wrong = names.find((name, index) => !/^[A-Za-z0-9_-]{1,64}$/.test(name) || names.indexOf(name) !== index);
  if (wrong === undefined) return;
  const message = `An operation cannot be called '${wrong}': names are 1 to 64 letters, digits, '_' or '-', and each is used once.`;
  throw new SkillError("option-invalid", message);
}

/** What is done with a skill whose instructions are there already. */
const USES: ReadonlySet<OperationId> = new Set(["read_skill_file", "call_skill_tool"]);

/** Whether there are skills for people alone; looked for once in a set, because a set may have ten thousand. */
function hidesSkills(skillset: Skillset): boolean {
  let hides = HIDING.get(skillset);
  if (hides === undefined) {
    hides = skillset.skills.some(({ modelInvocable, userInvocable }) => !modelInvocable && userInvocable);
    HIDING.set(skillset, hides);
  }
  return hides;
}

const HIDING = new WeakMap<Skillset, boolean>();

/** At most one more than an enum may have, which says that they are too many: ten thousand are not walked for a call. */
function offeredNames({ active, skillset }: Session, enumLimit: number): string[] {
  const names: string[] = [];
  for (const { name, modelInvocable } of skillset.skills) {
    // What a person activated is the model's to use as well.
    if (!modelInvocable && !active.includes(name)) continue;
    names.push(name);
    if (names.length > enumLimit) break;
  }
  return names;
}

/** What the operations are called, for the rules that go with the catalog; one that is left out has no name. */
export function namesOf({ include = DEFAULT_OPERATIONS, aliases = {} }: OperationOptions): OperationNames {
  const nameOf = (id: OperationId) => (include.includes(id) ? (aliases[id]?.name ?? id) : undefined);
  const [activate, read, call] = [nameOf("activate_skill"), nameOf("read_skill_file"), nameOf("call_skill_tool")];
  return { ...(activate && { activate }), ...(read && { read }), ...(call && { call }) };
}

/** Every name that an operation has or could have, so that nothing else is called so. */
export function operationNames({ aliases = {} }: OperationOptions): readonly string[] {
  const ids = Object.keys(DEFINITIONS) as OperationId[];
  return [...ids, ...ids.flatMap((id) => aliases[id]?.name ?? [])];
}

const DEFAULT_OPERATIONS: readonly OperationId[] = ["activate_skill", "read_skill_file", "call_skill_tool"];

interface Definition {
  readonly name: OperationId;
  readonly title: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
  readonly readOnly: boolean;
  run(
    session: Session,
    input: Input,
    signal: AbortSignal | undefined,
  ): Promise<{ text: string; data: Record<string, unknown> }>;
}

type Input = Readonly<Record<string, unknown>>;

const DEFINITIONS: Readonly<Record<OperationId, (skillName: JsonSchema) => Definition>> = {
  activate_skill: (skillName) => ({
    name: "activate_skill",
    title: "Activate skill",
    description: "Load the full instructions of an available skill. Do this before you use a skill.",
    properties: { name: skillName },
    required: ["name"],
    readOnly: true,
    run: async (session, { name }, signal) => {
      const { text, ...data } = await session.activate(textOf(name, "name"), {
        by: "model",
        ...(signal && { signal }),
      });
      return { text, data };
    },
  }),
  read_skill_file: (skillName) => ({
    name: "read_skill_file",
    title: "Read skill file",
    description: "Read a text file that belongs to a skill, such as a reference or a template.",
    properties: { skill: skillName, path: { type: "string", description: "The file's path from the skill's folder" } },
    required: ["skill", "path"],
    readOnly: true,
    run: async (session, { skill, path }, signal) => {
      const reading = await session.read(textOf(skill, "skill"), textOf(path, "path"), signal && { signal });
      return { text: closeNothing(reading.content), data: { ...reading } };
    },
  }),
  call_skill_tool: (skillName) => ({
    name: "call_skill_tool",
    title: "Call skill tool",
    description:
      "Call a tool that a skill provides. The skill's instructions say which tools there are and what they take.",
    properties: {
      skill: skillName,
      tool: { type: "string", description: "The tool's name within the skill" },
      input: { description: "The tool's input, as the skill's instructions describe it" },
    },
    required: ["skill", "tool", "input"],
    readOnly: false,
    run: async (session, { skill, tool, input }, signal) => {
      const name = textOf(skill, "skill");
      const result = await session.call(name, textOf(tool, "tool"), input, signal && { signal });
      return { text: closeNothing(result.text), data: { skill: name, tool, result: plainValue(result) } };
    },
  }),
  deactivate_skill: (skillName) => ({
    name: "deactivate_skill",
    title: "Deactivate skill",
    description: "Say that a skill is no longer needed, so that its instructions need not be kept.",
    properties: { name: skillName },
    required: ["name"],
    readOnly: true,
    run: async (session, input) => {
      const name = textOf(input.name, "name");
      const wasActive = await session.deactivate(name);
      const shown = name.slice(0, 80).toWellFormed();
      return {
        text: wasActive ? `Skill '${shown}' is no longer active.` : `Skill '${shown}' was not active.`,
        data: { name, wasActive },
      };
    },
  }),
};

/** An alias renames the operation, its arguments and the same fields of its results together. */
function bind(definition: Definition, session: Session, alias?: OperationAlias): SkillOperation {
  const rename = (key: string): string => alias?.arguments?.[key] ?? key;
  const properties = Object.fromEntries(
    Object.entries(definition.properties).map(([key, schema]) => [rename(key), schema]),
  );
  return {
    id: definition.name,
    name: alias?.name ?? definition.name,
    title: alias?.title ?? definition.title,
    description: definition.description,
    inputSchema: { type: "object", properties, required: definition.required.map(rename), additionalProperties: false },
    readOnly: definition.readOnly,
    execute: (input, { signal } = {}) =>
      settle(async () => {
        const fields = fieldsOf(input);
        const given = Object.fromEntries(Object.keys(definition.properties).map((key) => [key, fields[rename(key)]]));
        const { text, data } = await definition.run(session, given, signal);
        return { text, data: Object.fromEntries(Object.entries(data).map(([key, value]) => [rename(key), value])) };
      }),
  };
}

/** What a tool gave, as the JSON that a model was told: whoever writes it once more writes the same. */
export function plainValue({ value, text }: ToolResult): unknown {
  return typeof value === "string" ? value : JSON.parse(text);
}

/** Whatever goes wrong is a result too: a model is told, and the conversation goes on. */
export async function settle(
  work: () => Promise<{ text: string; data: Record<string, unknown> }>,
): Promise<OperationResult> {
  try {
    return { isError: false, ...(await work()) };
  } catch (error) {
    const code = error instanceof SkillError ? error.code : "unexpected";
    return { isError: true, text: toModelMessage(error), code };
  }
}

function fieldsOf(input: unknown): Input {
  if (typeof input === "object" && input !== null && !Array.isArray(input)) return input as Input;
  throw new SkillError("option-invalid", "The arguments must be an object.");
}

function textOf(value: unknown, name: string): string {
  if (typeof value === "string") return value;
  throw new SkillError("option-invalid", `'${name}' must be a text.`);
}
