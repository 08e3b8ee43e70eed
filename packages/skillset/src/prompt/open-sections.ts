import { SkillError } from "../core/base/errors.ts";
import { DEFAULTS, LIMITS, NAMES } from "../core/base/limits.ts";
import { sessionOf } from "../core/conversation-of.ts";
import { noteRulesIn, recordActivation } from "../core/in-session.ts";
import type { ModelTool } from "../core/operations/model-tool.ts";
import type { Session } from "../core/session.ts";
import { checkOptions, type OptionTable } from "../core/text/check-options.ts";
import { describeValue } from "../core/text/describe-value.ts";
import type { PreparedTool } from "../core/tool/model-tool.ts";
import type { PromptRunOptions } from "./prompt-run.ts";
import type { RenderedPrompt } from "./rendered-prompt.ts";
import { emit, type PromptEventListener, SkillExpanded } from "./section/events.ts";

/** Options for `openSections`. */
export interface OpenSectionsOptions {
  /**
   * Throws a `VisibilityExpansionRequired`, for adapters that restart with a new prompt.
   * @default false
   */
  readonly rerender?: boolean;
  /** The conversation that the events refer to. In a `Session`, opened skills become active. */
  readonly session?: Session | { readonly id: string };
  /** Called for each opened skill. */
  readonly onEvent?: PromptEventListener;
}

/** The result of opening sections. */
export interface OpenedSections {
  /** The full text of the sections, for the model. */
  readonly text: string;
  /** The dotted keys of the opened sections. */
  readonly keys: readonly string[];
  /** Why the model asked for them. */
  readonly reason: string;
  /** The prompt with these sections open; use it for the next call. */
  readonly rendered: RenderedPrompt;
  /** The tools that became available. */
  readonly tools: readonly ModelTool[];
}

/**
 * Returns the tool with which a model opens sections; undefined if nothing is summarised. Handle its calls with
 * `openSections`.
 */
export function openSectionsTool(rendered: RenderedPrompt): Omit<PreparedTool, "execute" | "isAvailable"> | undefined {
  checkRendered("openSectionsTool()", rendered);
  const { summarised } = rendered;
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
          description: "The keys of the sections to open, as shown in their summaries",
        },
        reason: { type: "string", description: "Why they are needed, in a few words" },
      },
      required: ["section_keys", "reason"],
      additionalProperties: false,
    },
    readOnly: true,
  });
}

/**
 * Opens the sections that the model asks for. Returns them to continue the conversation; with `rerender`, throws to
 * restart it with a new prompt.
 *
 * @example
 * ```ts
 * import { openSections, openSectionsTool, Prompt, PromptTemplate, SkillSection } from "skillset/prompt";
 *
 * const triage = new SkillSection({
 *   name: "triage",
 *   description: "Triage incoming issues.",
 *   title: "Triage",
 *   template: "Label the issue, then set its priority.",
 * });
 * const rendered = new Prompt(new PromptTemplate({ ns: "support", key: "inbox", sections: [triage] })).render();
 * console.log(rendered.text, openSectionsTool(rendered)?.inputSchema);
 *
 * // When the model calls the tool:
 * const { text, tools } = openSections(rendered, { section_keys: ["triage"], reason: "A new issue arrived." });
 * console.log(text, tools);
 * ```
 */
export function openSections(
  rendered: RenderedPrompt,
  input: unknown,
  options: OpenSectionsOptions = {},
): OpenedSections {
  checkRendered("openSections()", rendered);
  checkOptions("openSections()", options, OPTIONS);
  const { rerender = false, session, onEvent } = options;
  const { section_keys: given, reason = "" } = (input ?? {}) as Record<string, unknown>;
  const { keys, open } = checkKeys(given, rendered);
  if (typeof reason !== "string") throw new SkillError("option-invalid", "'reason' must be a string.");
  const next = rendered.reopen(keys);
  for (const key of keys) noteExpanded(rendered, { key, text: next.textOf(key) }, { session, onEvent });
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

/** Throws for a prompt that is not rendered. */
export function checkRendered(what: string, rendered: RenderedPrompt): void {
  if (typeof (rendered as Partial<RenderedPrompt> | null)?.reopen === "function") return;
  const message = `The first argument of ${what} must be a rendered prompt, not ${describeValue(rendered)}. Pass the result of prompt.render().`;
  throw new SkillError("option-invalid", message);
}

/** Reports that the model has the text of a section. Its skill, if it has one, becomes active in a session. */
export function noteExpanded(
  { ns: promptNs, key: promptKey, sections }: RenderedPrompt,
  { key: skillKey, text }: { readonly key: string; readonly text: string },
  { session: given, onEvent }: Pick<PromptRunOptions, "session" | "onEvent">,
): void {
  const { skill: skillName, rules } = sections.get(skillKey) ?? {};
  if (skillName === undefined) return;
  emit(onEvent, new SkillExpanded({ skillName, skillKey, promptNs, promptKey, sessionId: given?.id }));
  const session = sessionOf(given);
  if (session === undefined) return;
  if (rules !== undefined) noteRulesIn(session, { name: skillName, ...rules });
  if (session.active.includes(skillName)) return;
  // Like a failing listener, a failed activation has no effect here; the ledger contains the reason.
  recordActivation(session, { name: skillName, instructions: text }).catch(() => {});
}

/** Not a failure: the model asked for sections, and the prompt must be rendered again with them open. */
export class VisibilityExpansionRequired extends SkillError {
  override readonly name = "VisibilityExpansionRequired";
  /** The dotted keys that the model asked for. */
  readonly sectionKeys: readonly string[];
  /** The value for the `open` option of `render`: these keys, and those that were already open. */
  readonly open: readonly string[];
  /** Why the model asked for them. */
  readonly reason: string;

  constructor(sectionKeys: readonly string[], open: readonly string[], reason: string) {
    super("expansion-required", `The model asks for the full text of ${sectionKeys.join(", ")}.`);
    this.sectionKeys = sectionKeys;
    this.open = open;
    this.reason = reason;
  }
}

const OPTIONS: OptionTable<OpenSectionsOptions> = { rerender: true, session: true, onEvent: true };

interface CheckedKeys {
  /** The keys of summarised sections. */
  readonly keys: readonly string[];
  /** The keys of sections that are already open; they do not invalidate the request. */
  readonly open: readonly string[];
}

function checkKeys(given: unknown, { summarised, sections }: RenderedPrompt): CheckedKeys {
  const wanted = typeof given === "string" ? [given] : given;
  if (!Array.isArray(wanted) || wanted.length === 0 || wanted.some((key) => typeof key !== "string"))
    throw new SkillError("option-invalid", `'section_keys' must name at least one section. ${choices(summarised)}`);
  const names = [...new Set(wanted as string[])];
  const unknown = names.find((key) => !sections.has(key));
  if (unknown !== undefined) {
    throw unknownSection(unknown, summarised);
  }
  const keys = names.filter((key) => sections.get(key)?.visibility === "summary");
  const open = names.filter((key) => !keys.includes(key));
  if (keys.length === 0) throw new SkillError("option-invalid", `${list("Open already", open)} ${choices(summarised)}`);
  return { keys, open };
}

export function unknownSection(key: string, summarised: readonly string[]): SkillError {
  const shown = `'${key.slice(0, LIMITS.shown.nameCharacters).toWellFormed()}'`;
  return new SkillError("section-not-found", `There is no section ${shown}. ${choices(summarised)}`);
}

function choices(summarised: readonly string[]): string {
  if (summarised.length === 0) return "All sections are open.";
  return list("To open", summarised);
}

function list(what: string, keys: readonly string[]): string {
  const more = keys.length > LIMITS.shown.names ? `, and ${keys.length - LIMITS.shown.names} more` : "";
  return `${what}: ${keys.slice(0, LIMITS.shown.names).join(", ")}${more}.`;
}
