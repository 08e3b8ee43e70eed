/** The result of an evaluation. */
export interface PromptResponse<Output> {
  /** The namespace of the prompt. */
  readonly promptNs: string;
  /** The key of the prompt. */
  readonly promptKey: string;
  /** The final answer of the model or agent. */
  readonly text: string;
  /** The validated structured output; undefined if the template has no `output`. */
  readonly output: Output;
}
