import { SkillError } from "../../core/base/errors.ts";
import { operationNames } from "../../core/operations/bind-operations.ts";
import type { Skill } from "../../core/skill/skill.ts";
import type { Skillset } from "../../core/skillset.ts";
import type { AnySchema } from "../../core/tool/standard-schema.ts";
import type { Tool } from "../../core/tool/tool.ts";
import type { AgentOptions } from "./agent-options.ts";
import type { PermissionPolicy } from "./permissions.ts";

/** Everything that a builder has been told so far. Never changed, only replaced. */
export interface ThinkPlan {
  readonly schema?: AnySchema;
  readonly parts: readonly PromptPart[];
  /** Functions in this program that the agent may call. */
  readonly tools: readonly Tool[];
  /** The names of tools that the prompt does not list. */
  readonly unlisted: ReadonlySet<string>;
  /** In the order in which they were attached; paths are read when a run starts. */
  readonly skills: readonly (string | URL | Skill | Skillset)[];
  readonly system: readonly string[];
  /** The names of the operations on skills, which no tool may have. */
  readonly reserved: readonly string[];
  /** The agent's folder, from which a relative `cwd` starts; this program's by default. */
  readonly base?: string;
  readonly cwd?: string;
  readonly permissions?: PermissionPolicy;
  readonly signal?: AbortSignal;
  readonly timeout?: number;
}

/** A block stands on lines of its own. */
export type PromptPart = { readonly text: string } | { readonly block: string } | { readonly file: string };

/** A plan that says nothing yet, but for the options of its agent. */
export function planFor(schema: AnySchema | undefined, { cwd, permissions, operations = {} }: AgentOptions): ThinkPlan {
  if (schema !== undefined && (typeof schema !== "object" || schema === null))
    throw new SkillError("option-invalid", "think() takes a schema; what to ask goes into .text().");
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
