import type { Skill } from "../skill/skill.ts";
import { disallowedTools } from "./disallowed-tools.ts";
import type { PathBases } from "./path-pattern.ts";
import { suggestToken } from "./suggest-token.ts";
import type { ToolCall } from "./tool-call.ts";
import { isCovered, parseToolToken, type ToolToken } from "./tool-token.ts";

export interface PolicyEffect {
  /** Whether calls are decided and recorded at all. */
  readonly decides: boolean;
  /** Whether a call that is not allowed is denied, and one that is granted needs no consent. */
  readonly enforces: boolean;
}

/** Weakest first. */
export const TOOL_POLICIES = {
  off: { decides: false, enforces: false },
  log: { decides: true, enforces: false },
  enforce: { decides: true, enforces: true },
} satisfies Record<string, PolicyEffect>;

/**
 * What `allowed-tools` does: nothing (`off`), records calls outside it (`log`), or denies them (`enforce`). Only
 * `enforce` lets trusted skills run their scripts without asking.
 */
export type AllowedToolsPolicy = keyof typeof TOOL_POLICIES;
export const ALLOWED_TOOLS_POLICIES = Object.keys(TOOL_POLICIES) as readonly AllowedToolsPolicy[];

/** The fields of a skill that matter. */
export type RuledSkill = Pick<Skill, "name" | "allowedTools" | "extra">;

/** A call to decide, under each name that authors use for it. One covered reading is enough. */
export interface JudgedCall {
  readonly readings: readonly ToolCall[];
  /** The skill whose script or tool it is, with the names that only the skill's own tokens may use. */
  readonly owner?: { readonly skill: RuledSkill; readonly readings: readonly ToolCall[] } | undefined;
}

/** A call that a skill does not allow. */
export interface OutsideCall {
  readonly skill: string;
  /** The tool, under the first of its names. */
  readonly tool: string;
  /** The tokens that would allow the call, or the token that denies it. */
  readonly token: string;
  readonly field: "allowed-tools" | "disallowed-tools";
}

/** Returns the first skill that does not allow the call: its owner, then the active skills in order. */
export function findOutside(
  { readings, owner }: JudgedCall,
  active: readonly RuledSkill[],
  bases: PathBases = {},
): OutsideCall | undefined {
  for (const skill of new Set([...(owner ? [owner.skill] : []), ...active])) {
    const known = skill.name === owner?.skill.name ? owner.readings : readings;
    const [first = { tool: "" }] = known;
    const outside = { skill: skill.name, tool: first.tool };
    const denying = parseAll(disallowedTools(skill), bases).find((token) => known.some((call) => token.mayCover(call)));
    if (denying !== undefined) return { ...outside, token: denying.text.slice(0, 120), field: "disallowed-tools" };
    const tokens = parseAll(skill.allowedTools, bases);
    if (tokens.length === 0 || known.some((call) => isCovered(tokens, call))) continue;
    return { ...outside, token: suggestToken(first, tokens, bases), field: "allowed-tools" };
  }
  return undefined;
}

/** Returns the token of the owner that covers the call. Other skills' tokens never count. */
export function findGrant({ owner }: JudgedCall, bases: PathBases = {}): string | undefined {
  const tokens = parseAll(owner?.skill.allowedTools ?? [], bases);
  return tokens.find((token) => owner?.readings.some((call) => token.covers(call)))?.text;
}

/** One sentence for a model. */
export function describeOutside({ skill, tool, token, field }: OutsideCall): string {
  const call = `This call of '${tool.slice(0, 80)}' is not allowed while skill '${skill}' is in use`;
  return field === "allowed-tools"
    ? `${call}: its allowed-tools lack '${token}'.`
    : `${call}: its disallowed-tools contain '${token}'.`;
}

/** Parsing is repeated for every call, and skills keep their lists. */
function parseAll(texts: readonly string[], bases: PathBases): readonly ToolToken[] {
  const known = PARSED.get(texts);
  if (known?.cwd === bases.cwd && known?.home === bases.home && known !== undefined) return known.tokens;
  const tokens = texts.map((text) => parseToolToken(text, bases));
  PARSED.set(texts, { cwd: bases.cwd, home: bases.home, tokens });
  return tokens;
}

const PARSED = new WeakMap<readonly string[], PathBases & { readonly tokens: readonly ToolToken[] }>();
