import { SkillError } from "../../core/base/errors.ts";
import { operationNames } from "../../core/operations/bind-operations.ts";
import type { Skill } from "../../core/skill/skill.ts";
import type { Skillset } from "../../core/skillset.ts";
import type { OptionTable } from "../../core/text/check-options.ts";
import { schemaFaultOf } from "../../core/tool/schema-fault.ts";
import type { AnySchema } from "../../core/tool/standard-schema.ts";
import type { Tool } from "../../core/tool/tool.ts";
import type { Prompt, StartPromptOptions } from "../../prompt/prompt.ts";
import type { AgentOptions } from "./agent-options.ts";
import type { PermissionPolicy } from "./permissions.ts";
import type { SkillAccounting } from "./skill-accounting.ts";

/** Everything set on a builder so far. Immutable: every change creates a new plan. */
export interface ThinkPlan extends SkillAccounting {
  readonly schema?: AnySchema;
  readonly parts: readonly PromptPart[];
  /** The prompt of sections, which is also one of the parts. */
  readonly prompt?: PlannedPrompt;
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
  /** Whether the plan is part of a conversation, whose session outlasts the run. */
  readonly isLasting: boolean;
  readonly permissions?: PermissionPolicy;
  readonly signal?: AbortSignal;
  readonly timeout?: number;
}

/** A part of the prompt. A block starts and ends on its own line. */
export type PromptPart =
  | { readonly text: string }
  | { readonly block: string }
  | { readonly file: string }
  | { readonly prompt: true };

/** A prompt of sections, and how to evaluate it. */
export interface PlannedPrompt {
  readonly prompt: Prompt;
  readonly options: ThinkPromptOptions;
}

/** Options for `.prompt()`. */
export interface ThinkPromptOptions
  extends Omit<StartPromptOptions, "returnTool" | "open" | "hasFolder" | "showDirectory" | "toolName"> {
  /** The folder of the `installed` skills: a skill that the agent loads from there becomes active. */
  readonly skillsDir?: string;
}

/** The options of `.prompt()`. */
export const THINK_PROMPT_OPTIONS: OptionTable<ThinkPromptOptions> = {
  overrides: true,
  enabledSkills: true,
  installed: true,
  scripts: true,
  mode: true,
  session: true,
  onEvent: true,
  onWarning: true,
  skillsDir: true,
};

/** Returns an empty plan with the agent's options. */
export function planFor(
  schema: AnySchema | undefined,
  { cwd, permissions, operations = {}, telemetry, budget, isLasting }: AgentOptions & Pick<ThinkPlan, "isLasting">,
): ThinkPlan {
  if (typeof schema === "string")
    throw new SkillError("option-invalid", "think() takes a schema; pass the prompt to .text().");
  const fault = schema === undefined ? undefined : schemaFaultOf(schema);
  if (fault !== undefined) throw new SkillError("option-invalid", `think() takes no schema ${fault}.`);
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
    telemetry,
    budget,
    isLasting,
  };
}
