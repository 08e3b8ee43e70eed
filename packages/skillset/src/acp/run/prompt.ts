import { NAMES } from "../../core/base/limits.ts";
import { jsonSchemaOf } from "../../core/tool/schema.ts";
import type { Tool } from "../../core/tool/tool.ts";
import type { ToolNaming } from "../bridge/tool-naming.ts";
import type { ResultSlot } from "./result-slot.ts";

/**
 * How the agent comes to its tools.
 * - `own`: it lists each of them, with its schema.
 * - `dispatched`: it knows the two that never change, and reads the rest in the prompt.
 * - `untold`: perhaps not at all.
 */
export type ToolStyle = "own" | "dispatched" | "untold";

export interface PromptContent {
  /** The catalog and how to use it; empty without skills. */
  readonly skills: string;
  readonly system: readonly string[];
  readonly text: string;
  /** The tools that the prompt lists. */
  readonly tools: readonly Tool[];
  readonly slot: ResultSlot | undefined;
  readonly style: ToolStyle;
  readonly naming: ToolNaming;
}

/** The whole text of a prompt: skills first, then what the caller wrote, then how to answer. */
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

/** What the agent is told when it stopped without a result, or after one that was refused. */
export function remindOfResult(slot: ResultSlot, style: ToolStyle, naming: ToolNaming): string {
  const refused = slot.refusal === undefined ? "" : ` The last one does not fit: ${slot.refusal}.`;
  return `There is no result yet.${refused} ${describeResult(slot, style, naming)}`;
}

/** What the tools gave that the agent only said it wants called. */
export function tellResults(results: readonly { readonly tool: string; readonly text: string }[]): string {
  const told = results.map(
    ({ tool, text }) =>
      `<tool_result tool="${tool}">\n${text.replace(/<\s*\/(?=\s*tool_result)/gi, "<\\/")}\n</tool_result>`,
  );
  return ["The tools that you called gave:", ...told].join("\n\n");
}

/** The value in the last JSON block of an answer, or the whole answer as JSON. */
export function resultIn(text: string): { readonly value: unknown } | undefined {
  for (const candidate of [lastJsonBlock(text), text]) {
    if (candidate === undefined) continue;
    try {
      return { value: JSON.parse(candidate) };
    } catch {}
  }
  return undefined;
}

/** Goes through the lines once: an answer may be long, and have thousands of fences that nothing closes. */
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

/** A fence and the language after it, also behind other words. */
const OPENING = /(?<!`)(`{3,})(\w*)\s*$/;
