import { NAMES } from "../../../core/base/limits.ts";
import type { ResultSlot } from "../../../core/tool/result-slot.ts";
import { jsonSchemaOf } from "../../../core/tool/schema.ts";
import type { DescribedTool } from "../../../core/tool/tool.ts";
import type { ToolNaming } from "../../bridge/tool-naming.ts";

/**
 * How the agent gets its tools.
 * - `own`: it lists each tool with its schema.
 * - `dispatched`: it lists two fixed tools, and the prompt describes the others.
 * - `untold`: it may have no access to tools.
 */
export type ToolStyle = "own" | "dispatched" | "untold";

/** What a prompt says about a tool. */

export interface PromptContent {
  /** The catalog and how to use it; empty if there are no skills. */
  readonly skills: string;
  readonly system: readonly string[];
  readonly text: string;
  /** The tools that the prompt lists. */
  readonly tools: readonly DescribedTool[];
  readonly slot: ResultSlot | undefined;
  readonly style: ToolStyle;
  readonly naming: ToolNaming;
}

/** Assembles the prompt: skills first, then the caller's text, then how to answer. */
export function assemblePrompt({ skills, system, text, tools, slot, style, naming }: PromptContent): string {
  const sections = [
    skills,
    ...system,
    text,
    tools.length === 0 ? "" : describeTools(tools, style, naming),
    slot === undefined ? "" : describeResult(slot, style, naming),
  ];
  return sections
    .map((section) => section.trimEnd())
    .filter((section) => section !== "")
    .join("\n\n");
}

export function describeTools(tools: readonly DescribedTool[], style: ToolStyle, naming: ToolNaming): string {
  const owner = naming.owner(NAMES.thinkServer);
  if (style === "own") {
    const lines = tools.map(({ name, description }) => `- ${naming.name(NAMES.thinkServer, name)}: ${description}`);
    return [`Available tools${owner}:`, ...lines].join("\n");
  }
  const lines = tools.map(({ name, description, inputSchema }) => {
    const schema = jsonSchemaOf(inputSchema);
    return `- ${name}: ${/[.!?]$/.test(description) ? description : `${description}.`} Input: ${schema === undefined ? "any JSON value" : JSON.stringify(schema)}`;
  });
  return [
    `Available tools, each called with \`${naming.name(NAMES.thinkServer, NAMES.callTool)}\`${owner}:`,
    ...lines,
  ].join("\n");
}

function describeResult(slot: ResultSlot, style: ToolStyle, naming: ToolNaming): string {
  const tool = `\`${naming.name(NAMES.thinkServer, NAMES.returnResult)}\`${naming.owner(NAMES.thinkServer)}`;
  if (style === "own") return `When you are done, call the tool ${tool} with the result.`;
  const schema =
    slot.jsonSchema === undefined ? "" : `\nThe result fits this JSON Schema: ${JSON.stringify(slot.jsonSchema)}`;
  const without =
    style === "untold" ? "\nIf you have no such tool, end your answer with the result alone, as a ```json block." : "";
  return `When you are done, call the tool ${tool} with { "result": … }.${schema}${without}`;
}

/** The follow-up prompt for an agent that stopped without a result, or after an invalid one. */
export function remindOfResult(slot: ResultSlot, style: ToolStyle, naming: ToolNaming): string {
  const refused = slot.refusal === undefined ? "" : ` The last one does not fit: ${slot.refusal}.`;
  return `There is no result yet.${refused} ${describeResult(slot, style, naming)}`;
}

/** The follow-up prompt with the results of announced tool calls. */
export function tellResults(results: readonly { readonly tool: string; readonly text: string }[]): string {
  const told = results.map(
    ({ tool, text }) =>
      `<tool_result tool="${tool}">\n${text.replace(/<\s*\/(?=\s*tool_result)/gi, "<\\/")}\n</tool_result>`,
  );
  return ["The tools that you called gave:", ...told].join("\n\n");
}
