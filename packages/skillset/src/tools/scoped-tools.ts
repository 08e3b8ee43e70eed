import { closeNothing } from "../core/activation.ts";
import { jsonSchemaOf } from "../core/schema.ts";
import type { Session } from "../core/session.ts";
import type { JsonSchema, Skill, SkillTool } from "../core/skill.ts";
import { wrapSchema } from "../core/wrap-schema.ts";
import { type OperationResult, plainValue, settle } from "./operations.ts";

/** A tool of a skill, under a name that no other tool has. */
export interface ScopedTool {
  readonly skill: string;
  readonly name: string;
  readonly description: string;
  /** Always of an object, as providers want it. */
  readonly inputSchema: JsonSchema;
  execute(input: unknown, options?: { readonly signal?: AbortSignal }): Promise<OperationResult>;
}

/** The tools of a session's skills, each as a tool of its own; names that are taken are left alone. */
export function createScopedTools(session: Session, taken: Iterable<string> = []): readonly ScopedTool[] {
  const names = new Set(taken);
  return session.skillset.skills.flatMap((skill) => skill.tools.map((tool) => scope(session, skill, tool, names)));
}

function scope(session: Session, skill: Skill, tool: SkillTool, names: Set<string>): ScopedTool {
  const name = nameFor(`${skill.name}__${tool.name}`, names);
  names.add(name);
  const schema = jsonSchemaOf(tool.inputSchema);
  const isObject = schema?.type === "object";
  return {
    skill: skill.name,
    name,
    description: tool.description,
    inputSchema: isObject ? schema : { ...wrapSchema(schema ?? {}, "input"), additionalProperties: false },
    execute: (given, options) =>
      settle(async () => {
        const input = isObject ? given : (given as { input?: unknown } | null)?.input;
        const result = await session.call(skill.name, tool.name, input, options);
        return {
          text: closeNothing(result.text),
          data: { skill: skill.name, tool: tool.name, result: plainValue(result) },
        };
      }),
  };
}

/** Letters, digits, `_` and `-`, at most 64: what every provider takes. */
function nameFor(wanted: string, taken: ReadonlySet<string>): string {
  const safe = wanted.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, LONGEST);
  if (!taken.has(safe)) return safe;
  for (let number = 2; ; number++) {
    const ending = `_${number}`;
    const next = safe.slice(0, LONGEST - ending.length) + ending;
    if (!taken.has(next)) return next;
  }
}

const LONGEST = 64;
