import { SkillError } from "../../core/base/errors.ts";
import { NAMES } from "../../core/base/limits.ts";
import type { SessionTelemetry } from "../../core/session/telemetry.ts";
import { defineSkill, type SkillDefinition, type ToolsOf } from "../../core/skill/define-skill.ts";
import type { Skill } from "../../core/skill/skill.ts";
import { Skillset } from "../../core/skillset.ts";
import { checkOptions } from "../../core/text/check-options.ts";
import { describeValue } from "../../core/text/describe-value.ts";
import { faultOf } from "../../core/tool/check-tool.ts";
import type { AnySchema, StandardSchema } from "../../core/tool/standard-schema.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { workspacesOf } from "../../prompt/agent/listed-skills.ts";
import { Prompt } from "../../prompt/prompt.ts";
import type { PromptResponse } from "../../prompt/prompt-response.ts";
import type { AnyParams } from "../../prompt/section/section.ts";
import { checkPolicy, type PermissionPolicy } from "../options/permissions.ts";
import type { RunListener } from "../options/run-listener.ts";
import { checkAccounting, type SkillAccounting } from "../options/skill-accounting.ts";
import { THINK_EVENT_TYPES, type ThinkEventType } from "../options/think-event.ts";
import {
  type PromptPart,
  THINK_PROMPT_OPTIONS,
  type ThinkPlan,
  type ThinkPromptOptions,
} from "../options/think-plan.ts";
import { fence } from "../run/prompt/prompt-parts.ts";
import { ThinkStream } from "./think-stream.ts";

/** The result type of a run with this schema. */
export type ResultOf<Schema> = Schema extends StandardSchema<unknown, infer Output> ? Output : unknown;

/** Runs a plan and reports what happens. */
export type PlanRunner = (plan: ThinkPlan, listener: RunListener) => Promise<unknown>;

/** A prompt for an agent, built step by step. Every method returns a new builder, so any builder can be branched. */
export class ThinkBuilder<Result> {
  readonly #plan: ThinkPlan;
  readonly #run: PlanRunner;

  /** Use `agent.think()`. */
  constructor(plan: ThinkPlan, run: PlanRunner) {
    this.#plan = plan;
    this.#run = run;
  }

  /** Adds text to the prompt. */
  text(text: string): ThinkBuilder<Result> {
    return this.#withPart({ text: textOf(text, "text") });
  }

  /** Adds text and a line break. */
  textln(text = ""): ThinkBuilder<Result> {
    return this.#withPart({ text: `${textOf(text, "textln")}\n` });
  }

  /** Adds quoted text, wrapped in a tag that separates it from your own. */
  quote(text: string, tag = "quote"): ThinkBuilder<Result> {
    if (!/^[A-Za-z][\w-]*$/.test(tag))
      throw new SkillError(
        "option-invalid",
        `A tag must start with a letter, followed by letters, digits, '_' or '-'; got '${tag}'.`,
      );
    const closed = textOf(text, "quote").replace(new RegExp(`<\\s*/(?=\\s*${tag})`, "gi"), "<\\/");
    return this.#withPart({ block: `<${tag}>\n${closed}\n</${tag}>\n` });
  }

  /** Adds a code block. */
  code(code: string, language = ""): ThinkBuilder<Result> {
    return this.#withPart({ block: fence(textOf(code, "code"), language) });
  }

  /** Adds the content of a text file, read when the run starts. */
  file(path: string): ThinkBuilder<Result> {
    return this.#withPart({ file: pathOf(path, "file") });
  }

  /**
   * Adds a prompt of sections: its text, its tools, `open_sections` and `read_section`, and its structured output. The
   * agent loads the skills that a section lists with tools. It works in the prompt's workspace, if there is one and no
   * `cwd` is set. The result is the response to the prompt.
   */
  prompt<Output>(
    prompt: Prompt<AnyParams, Output>,
    options: ThinkPromptOptions = {},
  ): ThinkBuilder<PromptResponse<Output>> {
    checkOptions(".prompt()", options, THINK_PROMPT_OPTIONS);
    const fault = faultOfPrompt(prompt, this.#plan);
    if (fault !== undefined) throw new SkillError("option-invalid", fault);
    const [workspace] = workspacesOf(prompt as Prompt);
    const { cwd = this.#plan.base === undefined ? workspace?.tempDir : undefined } = this.#plan;
    const change = { prompt: { prompt: prompt as Prompt, options }, schema: prompt.template.output, cwd };
    const parts: readonly PromptPart[] = [...this.#plan.parts, { prompt: true }];
    return new ThinkBuilder<PromptResponse<Output>>({ ...this.#plan, ...change, parts }, this.#run);
  }

  /** Adds a function in this program that the agent may call. */
  tool<Input>(tool: Tool<Input>): ThinkBuilder<Result>;
  tool<Input>(
    name: string,
    description: string,
    inputSchema: AnySchema<Input>,
    handler: Handler<Input>,
  ): ThinkBuilder<Result>;
  tool(name: string, description: string, handler: Handler<unknown>): ThinkBuilder<Result>;
  tool(...given: ToolArguments): ThinkBuilder<Result> {
    return this.#withTool(toTool(given));
  }

  /** Like `tool()`, but the prompt does not list the tool: describe it in your own text. */
  defineTool<Input>(tool: Tool<Input>): ThinkBuilder<Result>;
  defineTool<Input>(
    name: string,
    description: string,
    inputSchema: AnySchema<Input>,
    handler: Handler<Input>,
  ): ThinkBuilder<Result>;
  defineTool(name: string, description: string, handler: Handler<unknown>): ThinkBuilder<Result>;
  defineTool(...given: ToolArguments): ThinkBuilder<Result> {
    const tool = toTool(given);
    return this.#withTool(tool).#with({ unlisted: new Set([...this.#plan.unlisted, tool.name]) });
  }

  /** Attaches a skill: the path of its folder or SKILL.md, read when the run starts; a skill in code; or a skillset. */
  skill(source: string | URL | Skill | Skillset): ThinkBuilder<Result>;
  skill<Inputs extends unknown[] = []>(definition: SkillDefinition & ToolsOf<Inputs>): ThinkBuilder<Result>;
  skill(source: string | URL | Skill | Skillset | SkillDefinition): ThinkBuilder<Result> {
    if (typeof source === "string") pathOf(source, "skill");
    return this.#with({ skills: [...this.#plan.skills, isAttachable(source) ? source : define(source)] });
  }

  /**
   * Sets the agent's working folder, which is also the base for the paths of skills and files. A relative folder is
   * resolved against the agent's `cwd`.
   */
  cwd(folder: string): ThinkBuilder<Result> {
    return this.#with({ cwd: pathOf(folder, "cwd") });
  }

  /** Adds instructions for the whole prompt, placed before its text. */
  system(text: string): ThinkBuilder<Result> {
    return this.#with({ system: [...this.#plan.system, textOf(text, "system")] });
  }

  /** Sets what the agent may do when it asks for permission. By default everything is denied. */
  permissions(policy: PermissionPolicy): ThinkBuilder<Result> {
    checkPolicy(policy);
    return this.#with({ permissions: policy });
  }

  /** Observes what the run does with skills, like `skillset/opentelemetry`. */
  telemetry(telemetry: SessionTelemetry): ThinkBuilder<Result> {
    return this.#withAccounting({ telemetry });
  }

  /** Sets the maximum number of tokens for the instructions of skills. Further activations are refused. */
  budget(budget: { readonly tokens: number }): ThinkBuilder<Result> {
    return this.#withAccounting({ budget });
  }

  /** Cancels the run when the signal is aborted. */
  signal(signal: AbortSignal): ThinkBuilder<Result> {
    // Not `instanceof`: the signal may come from another realm.
    if (typeof (signal as Partial<AbortSignal> | null | undefined)?.aborted !== "boolean")
      throw new SkillError(
        "option-invalid",
        `.signal() requires an AbortSignal, such as 'controller.signal', not ${describeValue(signal)}.`,
      );
    return this.#with({ signal });
  }

  /** Cancels the run after the given number of milliseconds. */
  timeout(milliseconds: number): ThinkBuilder<Result> {
    if (!(milliseconds > 0 && milliseconds < 2 ** 31))
      throw new SkillError(
        "option-invalid",
        `The timeout must be a positive number of milliseconds up to 2147483647; got ${milliseconds}.`,
      );
    return this.#with({ timeout: milliseconds });
  }

  /** Runs the prompt and returns its result. */
  async run(): Promise<Result> {
    return this.stream({ include: [] }).result;
  }

  /** Runs the prompt and returns a stream of its events: all of them, or only the types in `include`. */
  stream<Type extends ThinkEventType = ThinkEventType>(
    options: { readonly include?: readonly Type[] } = {},
  ): ThinkStream<Result, Type> {
    checkOptions(".stream()", options, { include: true });
    const { include } = options;
    if (include !== undefined) checkTypes(include);
    return new ThinkStream((listener) => this.#run(this.#plan, listener) as Promise<Result>, include);
  }

  #withPart(part: PromptPart): ThinkBuilder<Result> {
    return this.#with({ parts: [...this.#plan.parts, part] });
  }

  #withTool(tool: Tool): ThinkBuilder<Result> {
    checkTool(tool, this.#plan);
    return this.#with({ tools: [...this.#plan.tools, tool] });
  }

  #withAccounting(change: SkillAccounting): ThinkBuilder<Result> {
    const [option] = Object.keys(change);
    if (this.#plan.isLasting)
      throw new SkillError(
        "option-invalid",
        `.${option}() applies to a single run. Pass '${option}' to agent.session().`,
      );
    checkAccounting(change);
    return this.#with(change);
  }

  #with(change: Partial<ThinkPlan>): ThinkBuilder<Result> {
    return new ThinkBuilder({ ...this.#plan, ...change }, this.#run);
  }
}

function isAttachable(
  source: string | URL | Skill | Skillset | SkillDefinition,
): source is ThinkPlan["skills"][number] {
  if (typeof source === "string" || source instanceof URL || source instanceof Skillset) return true;
  return typeof source === "object" && source !== null && "origin" in source;
}

/** Only a plain object can be a definition. */
function define(source: SkillDefinition): Skill {
  const described = describeValue(source);
  if (described === "an object") return defineSkill(source);
  throw new SkillError("option-invalid", `.skill() requires a path, a skill or a skillset, not ${described}.`);
}

function faultOfPrompt(prompt: Prompt, { prompt: earlier, schema }: ThinkPlan): string | undefined {
  if (!(prompt instanceof Prompt)) return ".prompt() requires a Prompt; pass text to .text().";
  if (earlier !== undefined) return "A run has one prompt: .prompt() was called before.";
  if (schema === undefined) return undefined;
  return "think() takes no schema with .prompt(): set 'output' of the prompt's template.";
}

type Handler<Input> = Tool<Input>["handler"];

type ToolArguments =
  | readonly [tool: Tool]
  | readonly [name: string, description: string, handler: Handler<unknown>]
  | readonly [name: string, description: string, inputSchema: AnySchema, handler: Handler<unknown>];

function toTool(given: ToolArguments): Tool {
  if (given.length === 1) return given[0];
  const [name, description, ...rest] = given;
  const [inputSchema, handler] = rest.length === 1 ? [undefined, rest[0]] : rest;
  return { name, description, handler, inputSchema };
}

function checkTool(tool: Tool, { tools, reserved }: ThinkPlan): void {
  const isReserved = [NAMES.returnResult, NAMES.callTool, ...reserved].includes(tool?.name);
  const taken = isReserved ? "has a reserved name; choose another name" : "is already defined; rename one of them";
  const isTaken = isReserved || tools.some(({ name }) => name === tool?.name);
  const fault = faultOf(tool) ?? (isTaken ? taken : undefined);
  if (fault !== undefined) throw new SkillError("option-invalid", `The tool '${tool?.name}' ${fault}.`);
}

function checkTypes(include: readonly string[]): void {
  if (!Array.isArray(include)) throw new SkillError("option-invalid", "'include' must be an array of event types.");
  const wrong = include.find((type) => !(THINK_EVENT_TYPES as readonly string[]).includes(type));
  if (wrong === undefined) return;
  const message = `Unknown event type ${JSON.stringify(wrong)}. The types are: ${THINK_EVENT_TYPES.join(", ")}.`;
  throw new SkillError("option-invalid", message);
}

function pathOf(value: string, method: string): string {
  if (textOf(value, method).trim() !== "") return value;
  throw new SkillError("option-invalid", `.${method}() requires a path; got an empty string.`);
}

function textOf(value: string, method: string): string {
  if (typeof value === "string") return value;
  throw new SkillError("option-invalid", `.${method}() requires a string; got ${describeValue(value)}.`);
}
