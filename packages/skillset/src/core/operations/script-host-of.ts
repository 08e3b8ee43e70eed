import { SkillError } from "../base/errors.ts";
import { outputsOf } from "../host/outputs-of.ts";
import type { OutputFiles, ScriptHost } from "../host/script-host.ts";
import { hostOf } from "../host/skill-host.ts";
import type { Conversation } from "../session/conversation.ts";
import type { Skill } from "../skill/skill.ts";

type User = "host" | "model";

/** Returns what runs a skill's scripts. Throws if nothing does. */
export function scriptHostOf({ skillset }: Conversation, skill: Skill, user: User = "host"): ScriptHost {
  const { scripts } = hostOf(skillset, skill);
  if (scripts !== undefined) return scripts;
  throw scriptsDisabled(skillset, user);
}

/** The files of all scripts of the session. Throws if nothing runs scripts. */
export function outputsIn({ skillset, id }: Conversation): OutputFiles {
  const outputs = outputsOf(skillset, id);
  if (outputs === undefined) throw scriptsDisabled(skillset, "host");
  return outputs;
}

/** The reason names files and folders, so it is for the host's code, not for a model. */
function scriptsDisabled({ problems }: Conversation["skillset"], user: User): SkillError {
  if (user === "model") return new SkillError("scripts-disabled", NOT_CONFIGURED.message);
  const { message, fix } = problems?.find(({ code }) => code === "scripts-disabled") ?? NOT_CONFIGURED;
  return new SkillError("scripts-disabled", fix === undefined ? message : `${message} ${fix}`);
}

const NOT_CONFIGURED = {
  message: "Scripts are disabled: no runner is configured.",
  fix: "Pass 'scripts' to createSkillset().",
};
