import type { PrepareRequest, ScriptHost } from "../host/script-host.ts";
import type { PrepareResult } from "../script/packages.ts";
import type { ScriptHooks } from "../script/script.ts";
import { askConsent, hooksOf } from "../session/ask-consent.ts";
import type { Conversation } from "../session/conversation.ts";
import type { Skill } from "../skill/skill.ts";
import type { OptionTable } from "../text/check-options.ts";
import { scriptHostOf } from "./script-host-of.ts";

/** Options of `session.scripts.prepare()`. */
export interface PrepareOptions extends Pick<ScriptHooks, "consent" | "onOutput"> {
  /** Ends the installation. */
  readonly signal?: AbortSignal | undefined;
}

export const PREPARE_OPTIONS: OptionTable<PrepareOptions> = { consent: true, onOutput: true, signal: true };

/** Installs the packages that a skill declares, after somebody consented. Models cannot do it. */
export async function prepare(
  context: Conversation,
  name: string,
  { signal = new AbortController().signal, ...own }: PrepareOptions = {},
): Promise<PrepareResult> {
  return context.follow({ operation: "prepare", skill: name, content: {} }, async () => {
    const skill = context.find(name, "host");
    const host = scriptHostOf(context, skill);
    const hooks = hooksOf(context, skill, own);
    signal.throwIfAborted();
    const request: PrepareRequest = {
      skill,
      signal,
      onOutput: async (output) => {
        // A listener that rejects must not end the process.
        try {
          await hooks.onOutput?.({ ...output, skill: skill.name, script: "" });
        } catch {}
      },
      refusal: (digest, packages) => {
        const nothing = { script: "", args: [], files: {} };
        const question = { ...nothing, skill: skill.name, digest, packages, level: host.level, signal };
        return askConsent(context, hooks.consent, question);
      },
    };
    const result = skill.isRemote ? refuseRemote(skill, host) : await host.prepare(request);
    const { level, outcome, milliseconds, declared } = result;
    const packages = declared.python.length + declared.npm.length;
    context.record(
      { type: "packages-prepared", skill: skill.name, level, outcome, packages, milliseconds },
      { "skillset.packages.outcome": outcome, "skillset.packages.count": packages, "skillset.script.level": level },
    );
    return result;
  });
}

function refuseRemote({ name, provider = "a server" }: Skill, { level }: ScriptHost): PrepareResult {
  const reason = `The packages of skill '${name}' may not be installed: it comes from ${provider}, and only local skills can be prepared.`;
  const declared = { python: [], npm: [], files: [], refused: [], unread: [] };
  return { outcome: "refused", reason, skill: name, level, declared, milliseconds: 0 };
}
