import { SkillError } from "../core/base/errors.ts";
import { LIMITS, NAMES } from "../core/base/limits.ts";
import { checkValue, jsonSchemaOf } from "../core/tool/schema.ts";
import { unwrapValue } from "../core/tool/wrap-schema.ts";
import type { PromptResponse } from "../prompt/prompt-response.ts";
import type { PromptTemplate } from "../prompt/prompt-template.ts";
import type { AnyParams } from "../prompt/section/section.ts";
import type { ClaudeResult } from "./claude-agent-sdk.ts";

/** Converts the result of the last turn to a response, or throws an error. */
export async function readResponse<Output>(
  result: ClaudeResult | undefined,
  { ns, key, output: schema }: PromptTemplate<AnyParams, Output>,
): Promise<PromptResponse<Output>> {
  if (result === undefined) throw new SkillError("agent-failed", "Claude Code ended without a result.");
  if (result.subtype !== "success" || result.is_error) {
    const why = [...(result.errors ?? []), result.result ?? ""].filter((one) => one !== "").join("; ");
    const message = `Claude Code stopped early (${result.subtype}): ${why || "no reason given"}.`;
    throw new SkillError(result.subtype === NO_VALID_OUTPUT ? "result-invalid" : "agent-failed", message);
  }
  const response = { promptNs: ns, promptKey: key, text: result.result ?? "" };
  if (schema === undefined) return { ...response, output: undefined as Output };
  if (result.structured_output === undefined) {
    const message = "Claude Code ended its turn without the output that the prompt requires.";
    const said = response.text.trim() === "" ? "" : ` Its answer: ${response.text.trim().slice(-300)}`;
    throw new SkillError("result-missing", `${message}${said}`);
  }
  const given = unwrapValue(jsonSchemaOf(schema), result.structured_output, NAMES.result);
  const { value, issues } = await checkValue(schema, given);
  if (issues.length > 0)
    throw new SkillError(
      "result-invalid",
      `The output does not match the schema: ${issues.slice(0, LIMITS.shown.issues).join("; ")}.`,
    );
  return { ...response, output: value as Output };
}

/** The subtype of a result after too many values that do not match the schema. */
const NO_VALID_OUTPUT = "error_max_structured_output_retries";
