import {
  describeOutside,
  findGrant,
  findOutside,
  type JudgedCall,
  type RuledSkill,
} from "../allowed-tools/decide-call.ts";
import { disallowedTools } from "../allowed-tools/disallowed-tools.ts";
import { hostCall } from "../allowed-tools/judged-call.ts";
import { effectOf } from "../allowed-tools/tool-rules.ts";
import { SkillError } from "../base/errors.ts";
import { hostedBy } from "../host/skill-host.ts";
import type { Skill } from "../skill/skill.ts";
import { hooksOf } from "./ask-consent.ts";
import type { Conversation } from "./conversation.ts";

/** Whether the active skills allow a call. */
export type ToolDecision =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      /** The skill that does not allow it. */
      readonly skill: string;
      /** The tokens that would allow the call, or the token that disallows it. */
      readonly token: string;
      /** One sentence for the model. */
      readonly message: string;
    };

/** Decides a call by the skills that are active now, and records one that they do not allow. */
export function checkCall(context: Conversation, call: JudgedCall, cwd?: string): ToolDecision {
  const { toolRules } = context;
  const { decides, enforces } = effectOf(toolRules);
  if (!decides) return ALLOWED;
  const bases = { cwd: cwd ?? toolRules.cwd, home: toolRules.home };
  const outside = findOutside(call, activeSkills(context), bases);
  if (outside === undefined) return ALLOWED;
  const { skill, token } = outside;
  context.record({ type: enforces ? "tool-denied" : "tool-outside", ...outside }, { "skillset.tool.token": token });
  return enforces ? { allowed: false, skill, token, message: describeOutside(outside) } : ALLOWED;
}

/** Decides a call of one of the host's tools. */
export function checkHostCall(context: Conversation, tool: string, input: unknown, cwd?: string): ToolDecision {
  return checkCall(context, hostCall(tool, input, context.toolRules.toolNames), cwd);
}

/** Throws if the active skills do not allow a call of one of the host's tools. The message is for the model. */
export function requireHostCall(context: Conversation, tool: string, input: unknown): void {
  requireCall(context, hostCall(tool, input, context.toolRules.toolNames));
}

/**
 * Whether the host's tools might be restricted. If not, they need not be wrapped. Under `enforce`, also skills may become
 * active that the set lacks, such as those of a prompt.
 */
export function mayRestrictHost({ toolRules, skillset }: Conversation): boolean {
  const { decides, enforces } = effectOf(toolRules);
  if (!decides || enforces) return enforces;
  return skillset.skills.some((skill) => skill.allowedTools.length > 0 || disallowedTools(skill).length > 0);
}

/** Throws if the active skills do not allow a call. */
export function requireCall(context: Conversation, call: JudgedCall): void {
  const decision = checkCall(context, call);
  if (!decision.allowed) throw new SkillError("tool-denied", decision.message);
}

/**
 * Whether a skill's script may run without a question: under `enforce`, while the skill is active, if its own tokens
 * cover the script, and if it is trusted and has the content that it had when the session started.
 */
export function isGranted(context: Conversation, skill: Skill, call: JudgedCall, digest: string): boolean {
  const { toolRules } = context;
  const { name } = skill;
  const isKnown = isTrusted(skill) && context.memory.active.has(name) && context.resources.pinned.get(name) === digest;
  const token = effectOf(toolRules).enforces && isKnown ? findGrant(call, toolRules) : undefined;
  if (token === undefined) return false;
  context.record({ type: "tool-granted", skill: name, tool: "Bash", token, digest });
  return true;
}

/** Notes the content of trusted skills at the start, so that what is changed or added later needs consent. */
export async function pinTrusted(context: Conversation): Promise<void> {
  const { skillset, toolRules, resources } = context;
  if (!effectOf(toolRules).enforces) return;
  for (const skill of hostedBy("scripts", skillset)) {
    if (skill.allowedTools.length === 0 || !isTrusted(skill)) continue;
    // Computing a digest reads all files of the skill.
    if (hooksOf(context, skill).grants === false) continue;
    const digest = await firstDigest(skill).catch(() => undefined);
    if (digest !== undefined) resources.pinned.set(skill.name, digest);
  }
}

/** Many sessions share a skill, and computing a digest reads all of its files. */
function firstDigest(skill: Skill): Promise<string> {
  const digest = DIGESTS.get(skill) ?? skill.digest();
  DIGESTS.set(skill, digest);
  return digest;
}

const DIGESTS = new WeakMap<Skill, Promise<string>>();

/** Whether somebody vouched for the skill, and no other program can change it. */
export function isTrusted(skill: Skill): boolean {
  return skill.isTrusted === true && !skill.isRemote;
}

const ALLOWED: ToolDecision = Object.freeze({ allowed: true });

/** A skill that left the set still restricts calls if the model has read it elsewhere. */
function activeSkills({ memory, skillset, resources }: Conversation): readonly RuledSkill[] {
  return [...memory.activations.keys()].flatMap((name) =>
    resources.readRules.with(name, memory.isMissing(name) ? undefined : skillset.get(name)),
  );
}
