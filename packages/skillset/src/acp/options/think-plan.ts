import { SkillError } from "../../core/base/errors.ts";
import { operationNames } from "../../core/operations/bind-operations.ts";
import type { Skill } from "../../core/skill/skill.ts";
import type { Skillset } from "../../core/skillset.ts";
import type { AnySchema } from "../../core/tool/standard-schema.ts";
import type { Tool } from "../../core/tool/tool.ts";
import type { AgentOptions } from "./agent-options.ts";
import type { PermissionPolicy } from "./permissions.ts";

/** Everything set on a builder so far. Immutable: every change creates a new plan. */
export interface ThinkPlan {
  readonly schema?: AnySchema;
  readonly parts: readonly PromptPart[];
  /** The functions in this program that the agent may call. */
  readonly tools: readonly Tool[];
  /** The names of tools that the prompt does not list. */
  readonly unlisted: ReadonlySet<string>;
  /** The attached skills, in order; paths are read when a run starts. */
  readonly skills: readonly (string | URL | Skill | Skillset)[];
  readonly system: readonly string[];
  /** The names of the skill operations, which tools must not use. */
  readonly reserved: readonly string[];
  /**
   * The agent's folder, the base of a relative `cwd`.
   * @default process.cwd()
   */
  readonly base?: string;
  readonly cwd?: string;
  readonly permissions?: PermissionPolicy;
  readonly signal?: AbortSignal;
  readonly timeout?: number;
}

/** A part of the prompt. A block starts and ends on its own line. */
export type PromptPart = { readonly text: string } | { readonly block: string } | { readonly file: string };

/** Returns an empty plan with the agent's options. */
export function planFor(schema: AnySchema | undefined, { cwd, permissions, operations = {} }: AgentOptions): ThinkPlan {
  if (schema !== undefined && (typeof schema !== "object" || schema === null))
    throw new SkillError("option-invalid", "think() takes a schema; pass the prompt to .text().");
  return {
    parts: [],
    tools: [],
    unlisted: new Set(),
    skills: [],
    system: [],
    reserved: operationNames(operations),
    schema,
    base: cwd,
    permissions,
  };
}
