import { untilAborted } from "../base/until-aborted.ts";
import { hostOf } from "../host/skill-host.ts";
import type { CallHooks, ConsentRequest, ScriptHooks } from "../script/script.ts";
import type { Skill } from "../skill/skill.ts";
import type { Conversation } from "./conversation.ts";

/** Returns what applies to one call: its own functions, or else the session's, or else those of the skill's host. */
export function hooksOf({ skillset, settings }: Conversation, skill: Skill, ofCall: CallHooks = {}): ScriptHooks {
  const hooks = { ...defined(hostOf(skillset, skill).scripts ?? {}), ...settings.scripts, ...defined(ofCall) };
  return hooks.consent === undefined ? { ...hooks, ...ofCall.otherwise } : hooks;
}

/**
 * Asks for consent, unless this version of the skill has it in this session. Returns why nothing may run, and undefined
 * if it may.
 */
export async function askConsent(
  context: Conversation,
  consent: ScriptHooks["consent"],
  request: ConsentRequest,
): Promise<string | undefined> {
  const { skill, digest, level, env = [], packages } = request;
  // It does not allow another sandbox, installing packages, or variables that were not shown.
  const version = JSON.stringify([skill, digest, level, packages === undefined ? [...env].sort() : "packages"]);
  if (context.resources.consented.has(version)) return undefined;
  const why = whyNot(request);
  if (consent === undefined) return `${why}: nobody can be asked for consent.`;
  const answer = await untilAborted(request.signal, Promise.resolve(consent(request)));
  const isAllowed = answer === "once" || answer === "always";
  const given = isAllowed ? answer : "deny";
  context.record({ type: "script-consent", skill, digest, answer: given }, { "skillset.script.consent": given });
  if (answer === "always") context.resources.consented.add(version);
  if (isAllowed) return undefined;
  // Any other answer is a denial as well, also one that the types do not allow.
  const reason = (answer as { readonly deny?: unknown } | null | undefined)?.deny;
  return typeof reason === "string" && reason !== "" ? reason : `${why}: consent was denied.`;
}

function whyNot({ skill, toolset, packages }: ConsentRequest): string {
  if (packages !== undefined) return `The packages of skill '${skill}' may not be installed`;
  return `The ${toolset === undefined ? "scripts" : "toolsets"} of skill '${skill}' may not run`;
}

function defined({ consent, grants, secrets, onOutput }: ScriptHooks): ScriptHooks {
  return {
    ...(consent && { consent }),
    ...(grants !== undefined && { grants }),
    ...(secrets && { secrets }),
    ...(onOutput && { onOutput }),
  };
}
