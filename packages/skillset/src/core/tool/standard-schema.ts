/** The part of the Standard Schema interface (version 1) that the library uses. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A JSON Schema document. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** A Standard Schema (zod, valibot, …), or a JSON Schema, which carries no TypeScript types. */
export type AnySchema<Output = unknown> = StandardSchema<unknown, Output> | JsonSchema;
