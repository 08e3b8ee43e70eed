import { SkillError } from "../core/errors.ts";
import type { Session } from "../core/session.ts";
import type { RuleOptions } from "../core/session-rules.ts";
import type { JsonSchema } from "../core/skill.ts";
import {
  createOperations,
  namesOf,
  type OperationId,
  type OperationOptions,
  type OperationResult,
} from "./operations.ts";
import { createScopedTools } from "./scoped-tools.ts";

/** One function that a model may call: an operation, or a tool of a skill. */
export interface ModelTool {
  /** Which operation it is; the tools of skills are none. */
  readonly id?: OperationId;
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Whether it is on offer now: the tools of a skill are, as long as it is active. */
  isOffered(): boolean;
  execute(input: unknown, options?: { readonly signal?: AbortSignal }): Promise<OperationResult>;
}

/** Tools of a skill are functions of their own, so nothing needs to dispatch to them. */
const DEFAULT_OPERATIONS: readonly OperationId[] = ["activate_skill", "read_skill_file"];

/**
 * Everything that a session's skills bring for a model that takes functions. With `call_skill_tool` among the
 * operations, that one calls the tools of skills, and they are no functions of their own.
 */
export function createModelTools(
  session: Session,
  given: OperationOptions = {},
  taken: readonly string[] = [],
): readonly ModelTool[] {
  const operations = createOperations(session, { include: DEFAULT_OPERATIONS, ...given }).map((one) => ({
    ...one,
    isOffered: () => true,
  }));
  const clash = operations.find(({ name }) => taken.includes(name));
  if (clash !== undefined) {
    const message = `A tool of yours has the name of the operation '${clash.name}'; give the operation another one with 'aliases'.`;
    throw new SkillError("option-invalid", message);
  }
  if (dispatches(given)) return operations;
  const names = [...taken, ...operations.map(({ name }) => name)];
  const scoped = createScopedTools(session, names).map((one) => ({
    ...one,
    isOffered: () => session.active.includes(one.skill),
  }));
  return [...operations, ...scoped];
}

/**
 * The tools of a turn, such that a skill that is asked for twice in one step is given once: activations run one after
 * the other, and each knows what those before it gave. All else runs side by side as before. `observe` is to be told
 * what each request holds.
 */
export function orderActivations(session: Session, tools: readonly ModelTool[]) {
  let request: readonly string[] = [];
  let last: Promise<unknown> = Promise.resolve();
  const observe = (texts: readonly string[]): void => {
    request = texts;
    session.observe(texts);
  };
  const inOrder = (tool: ModelTool): ModelTool => ({
    ...tool,
    execute: (input, options) => {
      const result = last.then(() => tool.execute(input, options));
      last = result.then(({ isError, text }) => {
        // What was aborted reaches no request; the next turn may be under way.
        if (!isError && !options?.signal?.aborted) observe([...request, text]);
      });
      return result;
    },
  });
  return { tools: tools.map((tool) => (tool.id === "activate_skill" ? inOrder(tool) : tool)), observe };
}

/** What the catalog must say about them; of the skills that it lists, so that it stays the same. */
export function rulesForModelTools({ offered }: Session, given: OperationOptions = {}): RuleOptions {
  const ownTools = !dispatches(given) && offered.skills.some(({ tools }) => tools.length > 0);
  return { operations: namesOf({ include: DEFAULT_OPERATIONS, ...given }), ownTools };
}

function dispatches({ include = DEFAULT_OPERATIONS }: OperationOptions): boolean {
  return include.includes("call_skill_tool");
}
