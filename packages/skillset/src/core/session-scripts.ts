import type { OutputFiles } from "./host/script-host.ts";
import { PREPARE_OPTIONS, type PrepareOptions, prepare } from "./operations/prepare-skill.ts";
import { RUN_OPTIONS, type RunScriptOptions, run } from "./operations/run-skill-script.ts";
import { outputsIn } from "./operations/script-host-of.ts";
import { checkHooks } from "./script/check-hooks.ts";
import type { PrepareResult } from "./script/packages.ts";
import type { ScriptResult } from "./script/script.ts";
import type { Conversation } from "./session/conversation.ts";
import { checkOptions } from "./text/check-options.ts";
import { checkText } from "./text/describe-value.ts";

/** The scripts of a session's skills. They need the option `scripts` of `createSkillset`. */
export class SessionScripts {
  readonly #conversation: Conversation;

  /** Use `session.scripts`. */
  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  /** Runs one of a skill's scripts, after consent. A script that fails or reaches a limit is a result, not an error. */
  async run(name: string, script: string, options: RunScriptOptions = {}): Promise<ScriptResult> {
    checkText("scripts.run()", "the name of a skill", name);
    checkText("scripts.run()", "the path of a script", script);
    checkOptions("scripts.run()", options, RUN_OPTIONS);
    checkHooks(options);
    return run(this.#conversation, name, script, { by: "host", ...options });
  }

  /**
   * Installs the packages that a skill declares in `requirements.txt`, `package.json` or its Python scripts, after
   * consent. Its scripts find them from then on, in every session.
   */
  async prepare(name: string, options: PrepareOptions = {}): Promise<PrepareResult> {
    checkText("scripts.prepare()", "the name of a skill", name);
    checkOptions("scripts.prepare()", options, PREPARE_OPTIONS);
    checkHooks(options);
    return prepare(this.#conversation, name, options);
  }

  /** The files that scripts of this session wrote or find in `$OUTPUT_DIR`. Throws if no runner is configured. */
  get outputs(): OutputFiles {
    return outputsIn(this.#conversation);
  }
}
