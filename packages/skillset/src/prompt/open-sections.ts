import { SkillError } from "../core/base/errors.ts";
import { DEFAULTS, LIMITS, NAMES } from "../core/base/limits.ts";
import { isSession } from "../core/context-of.ts";
import { recordActivation } from "../core/record-activation.ts";
import type { Session } from "../core/session.ts";
import type { ModelTool } from "../core/tool/model-tool.ts";
import { emit, type PromptEventListener, SkillExpanded } from "./events.ts";
import type { RenderedPrompt } from "./rendered-prompt.ts";

export interface OpenSectionsOptions {
  /** Throw a `VisibilityExpansionRequired`, for adapters that start again with another prompt. */
  readonly rerender?: boolean;
  /** The conversation that the events are about; in a `Session`, the skills that are opened become active. */
  readonly session?: Session | { readonly id: string };
  readonly onEvent?: PromptEventListener;
}

/** What was opened. */
export interface OpenedSections {
  /** The full text of the sections, for the model. */
  readonly text: string;
  readonly keys: readonly string[];
  /** Why the model wanted them. */
  readonly reason: string;
  /** The prompt with them open, from which to go on. */
  readonly rendered: RenderedPrompt;
  /** The tools that are on offer now and were not before. */
  readonly tools: readonly ModelTool[];
}

/** The tool with which a model opens sections; undefined when nothing is summarised. `openSections` does its work. */
export function openSectionsTool({
  summarised,
}: RenderedPrompt): Omit<ModelTool, "execute" | "isAvailable"> | undefined {
  if (summarised.length === 0) return undefined;
  const keys = { type: "string", ...(summarised.length <= DEFAULTS.enumNames && { enum: summarised }) };
  return Object.freeze({
    name: NAMES.openSections,
    title: "Open sections",
    description: "Show the full text of summarized sections of the prompt, and make their tools available.",
    inputSchema: {
      type: "object",
      properties: {
        section_keys: {
          type: "array",
          items: keys,
          minItems: 1,
          description: "The keys of the sections to open, as their summaries give them",
        },
        reason: { type: "string", description: "Why they are needed, in a few words" },
      },
      required: ["section_keys", "reason"],
      additionalProperties: false,
    },
    readOnly: true,
  });
}

/** Opens what the model asks for: gives it to go on with, or throws it to start again with, as the options say. */
export function openSections(
  rendered: RenderedPrompt,
  input: unknown,
  { rerender = false, session, onEvent }: OpenSectionsOptions = {},
): OpenedSections {
  const { section_keys: given, reason = "" } = (input ?? {}) as Record<string, unknown>;
  const { keys, open } = checkKeys(given, rendered);
  if (typeof reason !== "string") throw new SkillError("option-invalid", "'reason' must be a text.");
  const next = rendered.reopen(keys);
  for (const key of keys) {
    const skillName = rendered.sections.get(key)?.skill;
    if (skillName === undefined) continue;
    const { ns: promptNs, key: promptKey } = rendered;
    emit(onEvent, new SkillExpanded({ skillName, skillKey: key, promptNs, promptKey, sessionId: session?.id }));
    // Like a listener: one that fails changes nothing, and the ledger has the reason.
    if (isSession(session))
      recordActivation(session, { name: skillName, instructions: next.textOf(key) }).catch(() => {});
  }
  if (rerender) throw new VisibilityExpansionRequired(keys, next.open, reason);
  const before = new Set(rendered.tools.map(({ name }) => name));
  return Object.freeze({
    text: [...keys.map((key) => next.textOf(key)), ...(open.length === 0 ? [] : [list("Open already", open)])].join(
      "\n\n",
    ),
    keys,
    reason,
    rendered: next,
    tools: next.tools.filter(({ name }) => !before.has(name)),
  });
}

/** Not a failure: the model asked for sections, and the prompt is to be rendered again with them open. */
export class VisibilityExpansionRequired extends SkillError {
  override readonly name = "VisibilityExpansionRequired";
  /** The dotted keys that the model asked for. */
  readonly sectionKeys: readonly string[];
  /** What `render` takes as `open`: these, and those that were open before. */
  readonly open: readonly string[];
  readonly reason: string;

  constructor(sectionKeys: readonly string[], open: readonly string[], reason: string) {
    super("expansion-required", `The model asks for the full text of ${sectionKeys.join(", ")}.`);
    this.sectionKeys = sectionKeys;
    this.open = open;
    this.reason = reason;
  }
}

interface CheckedKeys {
  /** The keys of summarised sections. */
  readonly keys: readonly string[];
  /** The keys of sections that are open already: no reason to refuse the others. */
  readonly open: readonly string[];
}

function checkKeys(given: unknown, { summarised, sections }: RenderedPrompt): CheckedKeys {
  const wanted = typeof given === "string" ? [given] : given;
  if (!Array.isArray(wanted) || wanted.length === 0 || wanted.some((key) => typeof key !== "string"))
    throw new SkillError("option-invalid", `'section_keys' must name at least one section. ${choices(summarised)}`);
  const names = [...new Set(wanted as string[])];
  const unknown = names.find((key) => !sections.has(key));
  if (unknown !== undefined) {
    const shown = `'${unknown.slice(0, LIMITS.shown.nameCharacters).toWellFormed()}'`;
    throw new SkillError("section-not-found", `There is no section ${shown}. ${choices(summarised)}`);
  }
  const keys = names.filter((key) => sections.get(key)?.visibility === "summary");
  const open = names.filter((key) => !keys.includes(key));
  if (keys.length === 0) throw new SkillError("option-invalid", `${list("Open already", open)} ${choices(summarised)}`);
  return { keys, open };
}

function choices(summarised: readonly string[]): string {
  if (summarised.length === 0) return "Nothing is left to open.";
  return list("To open", summarised);
}

function list(what: string, keys: readonly string[]): string {
  const more = keys.length > LIMITS.shown.names ? `, and ${keys.length - LIMITS.shown.names} more` : "";
  return `${what}: ${keys.slice(0, LIMITS.shown.names).join(", ")}${more}.`;
}
