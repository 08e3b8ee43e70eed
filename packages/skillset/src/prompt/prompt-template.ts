import { PromptValidationError, SkillError } from "../core/base/errors.ts";
import { LIMITS } from "../core/base/limits.ts";
import { checkOptions, type OptionTable } from "../core/text/check-options.ts";
import { describeIssue } from "../core/tool/schema.ts";
import { schemaFaultOf } from "../core/tool/schema-fault.ts";
import type { JsonSchema, StandardSchema } from "../core/tool/standard-schema.ts";
import { indexSections } from "./section/index-sections.ts";
import { joinSkills } from "./section/join-skills.ts";
import type { AnyParams, Section } from "./section/section.ts";

/** Options for `PromptTemplate`. */
export interface PromptTemplateOptions<Params = AnyParams, Output = unknown> {
  /** The namespace of the prompt. */
  readonly ns: string;
  /** The prompt's key, unique within the namespace. */
  readonly key: string;
  /** The sections of the prompt, in order. */
  readonly sections: readonly Section<NoInfer<Params>>[];
  /** A Standard Schema that validates the parameters. */
  readonly params?: StandardSchema<unknown, Params>;
  /** The schema of the structured output that an adapter requests. */
  readonly output?: StandardSchema<unknown, Output> | JsonSchema;
}

/** A prompt template: sections and their parameters. */
export class PromptTemplate<Params = AnyParams, Output = unknown> {
  readonly ns: string;
  readonly key: string;
  readonly sections: readonly Section<Params>[];
  readonly params: StandardSchema<unknown, Params> | undefined;
  readonly output: StandardSchema<unknown, Output> | JsonSchema | undefined;

  constructor(options: PromptTemplateOptions<Params, Output>) {
    checkOptions("new PromptTemplate()", options, OPTIONS);
    const { ns, key, sections, params, output } = options;
    for (const [option, text] of Object.entries({ ns, key })) {
      if (typeof text !== "string" || text.trim() === "")
        throw new PromptValidationError(`A prompt requires '${option}': a non-empty string.`, [option]);
    }
    const fault = output === undefined ? undefined : schemaFaultOf(output);
    if (fault !== undefined)
      throw new SkillError("option-invalid", `'output' of new PromptTemplate() takes no schema ${fault}.`);
    this.ns = ns;
    this.key = key;
    this.sections = Object.freeze([...sections]);
    this.params = params;
    this.output = output;
    Object.freeze(this);
    joinSkills(this.sections);
    indexSections(this.sections);
  }

  /** Validates the parameters and returns the schema's output. */
  checkParams(params: unknown): Params {
    const name = `'${this.ns}/${this.key}'`;
    if (typeof params !== "object" || params === null || Array.isArray(params))
      throw new PromptValidationError(`The parameters of prompt ${name} must be an object.`, [this.key]);
    if (this.params === undefined) return params as Params;
    const result = this.params["~standard"].validate(params);
    if (result instanceof Promise)
      throw new PromptValidationError(`The schema of prompt ${name} must validate synchronously.`, [this.key]);
    if (result.issues === undefined) return result.value;
    const issues = result.issues.slice(0, LIMITS.shown.issues).map(describeIssue).join("; ");
    throw new PromptValidationError(`The parameters of prompt ${name} are invalid: ${issues}.`, [this.key]);
  }
}

const OPTIONS: OptionTable<PromptTemplateOptions> = {
  ns: true,
  key: true,
  sections: true,
  params: true,
  output: true,
};
