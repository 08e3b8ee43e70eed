import { SkillError } from "../core/base/errors.ts";
import { LIMITS } from "../core/base/limits.ts";
import { checkValue } from "../core/tool/schema.ts";
import type { PromptTemplate } from "../prompt/prompt-template.ts";
import type { AnyParams } from "../prompt/section/section.ts";
import type { ClaudeResult } from "./claude-agent-sdk.ts";

/** The result of an evaluation. */
export interface PromptResponse<Output> {
  /** The namespace of the prompt. */
  readonly promptNs: string;
  /** The key of the prompt. */
  readonly promptKey: string;
  /** The agent's final answer. */
  readonly text: string;
  /** The validated structured output; undefined if the template has no `output`. */
  readonly output: Output;
}

/** Converts the result of the last turn to a response, or throws an error. */
export async function readResponse<Output>(
  result: ClaudeResult | undefined,
  { ns, key, output: schema }: PromptTemplate<AnyParams, Output>,
): Promise<PromptResponse<Output>> {
  if (result === undefined) throw new SkillError("agent-failed", "Claude Code ended without a result.");
  if (result.subtype !== "success" || result.is_error) {
    const why = [...(result.errors ?? []), result.result ?? ""].filter((one) => one !== "").join("; ");
    const message = `Claude Code stopped early (${result.subtype}): ${why || "no reason given"}.`;
    throw new SkillError("agent-failed", message);
  }
  const response = { promptNs: ns, promptKey: key, text: result.result ?? "" };
  if (schema === undefined) return { ...response, output: undefined as Output };
  if (result.structured_output === undefined)
    throw new SkillError("result-missing", "Claude Code ended its turn without the output that the prompt requires.");
  const { value, issues } = await checkValue(schema, result.structured_output);
  if (issues.length > 0)
    throw new SkillError(
      "result-invalid",
      `The output does not match the schema: ${issues.slice(0, LIMITS.shown.issues).join("; ")}.`,
    );
  return { ...response, output: value as Output };
}
