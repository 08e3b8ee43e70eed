import { NAMES } from "../../core/base/limits.ts";
import { jsonSchemaOf } from "../../core/tool/schema.ts";
import type { Tool } from "../../core/tool/tool.ts";
import type { ToolNaming } from "../bridge/tool-naming.ts";
import type { ResultSlot } from "./result-slot.ts";

/**
 * How the agent gets its tools.
 * - `own`: it lists each tool with its schema.
 * - `dispatched`: it lists two fixed tools, and the prompt describes the others.
 * - `untold`: it may have no access to tools.
 */
export type ToolStyle = "own" | "dispatched" | "untold";

export interface PromptContent {
  /** The catalog and how to use it; empty if there are no skills. */
  readonly skills: string;
  readonly system: readonly string[];
  readonly text: string;
  /** The tools that the prompt lists. */
  readonly tools: readonly Tool[];
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

function describeTools(tools: readonly Tool[], style: ToolStyle, naming: ToolNaming): string {
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

/** Returns the value of the last JSON block in an answer, or the whole answer parsed as JSON. */
export function resultIn(text: string): { readonly value: unknown } | undefined {
  for (const candidate of [lastJsonBlock(text), text]) {
    if (candidate === undefined) continue;
    try {
      return { value: JSON.parse(candidate) };
    } catch {}
  }
  return undefined;
}

/** Reads the lines once: a long answer may contain thousands of unclosed fences. */
function lastJsonBlock(text: string): string | undefined {
  let open: { readonly marks: string; readonly isJson: boolean; readonly start: number } | undefined;
  let last: string | undefined;
  let start = 0;
  for (const line of text.split("\n")) {
    const [marks = ""] = /^`{3,}/.exec(line.trimStart()) ?? [];
    if (open === undefined) {
      const [, fence, language] = OPENING.exec(line) ?? [];
      const isJson = language === "" || language === "json";
      if (fence !== undefined) open = { marks: fence, isJson, start: start + line.length + 1 };
    } else if (marks.startsWith(open.marks)) {
      if (open.isJson) last = text.slice(open.start, start);
      open = undefined;
    }
    start += line.length + 1;
  }
  return last;
}

/** A fence and its language, possibly after other text on the line. */
const OPENING = /(?<!`)(`{3,})(\w*)\s*$/;
