import { SkillError } from "../base/errors.ts";
import type { Conversation } from "../session/conversation.ts";
import type { ScriptHost } from "../session/script-host.ts";

/** Throws without a runner. The reason names files and folders, so it is for the host's code, not for a model. */
export function scriptHostOf({ skillset }: Conversation, user: "host" | "model" = "host"): ScriptHost {
  const { scripts, problems } = skillset;
  if (scripts !== undefined) return scripts;
  if (user === "model") throw new SkillError("scripts-disabled", NOT_CONFIGURED.message);
  const { message, fix } = problems?.find(({ code }) => code === "scripts-disabled") ?? NOT_CONFIGURED;
  throw new SkillError("scripts-disabled", fix === undefined ? message : `${message} ${fix}`);
}

const NOT_CONFIGURED = {
  message: "Scripts are disabled: no runner is configured.",
  fix: "Pass 'scripts' to createSkillset().",
};
