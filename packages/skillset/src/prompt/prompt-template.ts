import { PromptValidationError } from "../core/base/errors.ts";
import { LIMITS } from "../core/base/limits.ts";
import { describeIssue } from "../core/tool/schema.ts";
import type { JsonSchema, StandardSchema } from "../core/tool/standard-schema.ts";
import { indexSections } from "./section/index-sections.ts";
import type { AnyParams, Section } from "./section/section.ts";

export interface PromptTemplateOptions<Params = AnyParams, Output = unknown> {
  /** The namespace: whose prompt it is. */
  readonly ns: string;
  /** Names the prompt in its namespace. */
  readonly key: string;
  readonly sections: readonly Section<NoInfer<Params>>[];
  /** A Standard Schema that the parameters are checked with. */
  readonly params?: StandardSchema<unknown, Params>;
  /** What an adapter is to make of the answer. */
  readonly output?: StandardSchema<unknown, Output> | JsonSchema;
}

/** A prompt as it is written: sections, and what they take. */
export class PromptTemplate<Params = AnyParams, Output = unknown> {
  readonly ns: string;
  readonly key: string;
  readonly sections: readonly Section<Params>[];
  readonly params: StandardSchema<unknown, Params> | undefined;
  readonly output: StandardSchema<unknown, Output> | JsonSchema | undefined;

  constructor({ ns, key, sections, params, output }: PromptTemplateOptions<Params, Output>) {
    for (const [option, text] of Object.entries({ ns, key })) {
      if (typeof text !== "string" || text.trim() === "")
        throw new PromptValidationError(`A prompt needs '${option}', a text that is not empty.`, [option]);
    }
    this.ns = ns;
    this.key = key;
    this.sections = Object.freeze([...sections]);
    this.params = params;
    this.output = output;
    Object.freeze(this);
    indexSections(this.sections);
  }

  /** What the schema makes of the parameters. */
  checkParams(params: unknown): Params {
    const name = `'${this.ns}/${this.key}'`;
    if (typeof params !== "object" || params === null || Array.isArray(params))
      throw new PromptValidationError(`Prompt ${name} is bound to an object with its parameters.`, [this.key]);
    if (this.params === undefined) return params as Params;
    const result = this.params["~standard"].validate(params);
    if (result instanceof Promise)
      throw new PromptValidationError(`The schema of prompt ${name} must check without waiting.`, [this.key]);
    if (result.issues === undefined) return result.value;
    const issues = result.issues.slice(0, LIMITS.shown.issues).map(describeIssue).join("; ");
    throw new PromptValidationError(`The parameters of prompt ${name} do not fit: ${issues}.`, [this.key]);
  }
}
