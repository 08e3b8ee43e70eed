import { SkillError } from "../core/base/errors.ts";
import { DEFAULTS, NAMES } from "../core/base/limits.ts";
import type { PreparedTool } from "../core/tool/model-tool.ts";
import { checkRendered, unknownSection } from "./open-sections.ts";
import type { RenderedPrompt } from "./rendered-prompt.ts";

/** The text of one section. */
export interface ReadSection {
  /** The dotted key of the section. */
  readonly key: string;
  /** Its full text, with its subsections. */
  readonly text: string;
}

/**
 * Returns the tool with which a model reads a summarised section without opening it; undefined if nothing is summarised.
 * Handle its calls with `readSection`.
 */
export function readSectionTool(rendered: RenderedPrompt): Omit<PreparedTool, "execute" | "isAvailable"> | undefined {
  checkRendered("readSectionTool()", rendered);
  const { summarised } = rendered;
  if (summarised.length === 0) return undefined;
  const key = { type: "string", ...(summarised.length <= DEFAULTS.enumNames && { enum: summarised }) };
  return Object.freeze({
    name: NAMES.readSection,
    title: "Read section",
    description: `Show the full text of one summarized section. Its tools stay unavailable: for them, call \`${rendered.toolName(NAMES.openSections)}\`.`,
    inputSchema: {
      type: "object",
      properties: { section_key: { ...key, description: "The key of the section, as shown in its summary" } },
      required: ["section_key"],
      additionalProperties: false,
    },
    readOnly: true,
  });
}

/** Returns the section that the model asks for. The prompt stays as it is, and no tools become available. */
export function readSection(rendered: RenderedPrompt, input: unknown): ReadSection {
  checkRendered("readSection()", rendered);
  const { section_key: key } = (input ?? {}) as Record<string, unknown>;
  if (typeof key !== "string") throw new SkillError("option-invalid", "'section_key' must be the key of a section.");
  if (!rendered.sections.has(key)) throw unknownSection(key, rendered.summarised);
  return { key, text: rendered.reopen([key]).textOf(key) };
}
