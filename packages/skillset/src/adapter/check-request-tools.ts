import { SkillError } from "../core/base/errors.ts";
import { describeValue } from "../core/text/describe-value.ts";

/** How an SDK takes tools in a request. */
export interface RequestTools {
  /** Whether it takes a list, or an object with the tools by name. */
  readonly isList: boolean;
  /** Returns why a tool is not one of the SDK's, as the predicate of a sentence. */
  readonly faultOf?: (tool: Readonly<Record<string, unknown>>) => string | undefined;
}

/** Throws for tools that would reach the model under another name, without their parameters, or without a function. */
export function checkRequestTools(call: string, tools: unknown, { isList, faultOf }: RequestTools): void {
  if (tools === undefined) return;
  const invalid = (problem: string): SkillError => new SkillError("option-invalid", problem);
  if (typeof tools !== "object" || tools === null || "then" in tools || Array.isArray(tools) !== isList)
    throw invalid(
      `'request.tools' of ${call}() must be ${isList ? "a list of tools" : "an object with tools by name"}, ` +
        `not ${describeValue(tools)}. ${ELSEWHERE}`,
    );
  for (const [key, tool] of Object.entries(tools as object) as [string, unknown][]) {
    if (typeof tool !== "object" || tool === null)
      throw invalid(`Tool '${key}' in 'request.tools' must be an object, not ${describeValue(tool)}.`);
    const fields = tool as Readonly<Record<string, unknown>>;
    const fault = typeof fields.handler === "function" ? `has a 'handler'. ${ELSEWHERE}` : faultOf?.(fields);
    const name = isList && typeof fields.name === "string" ? fields.name : key;
    if (fault !== undefined) throw invalid(`Tool '${name}' in 'request.tools' ${fault}`);
  }
}

const ELSEWHERE = "Pass tools from defineTool() in the option 'tools'.";
