import { SkillError } from "../../core/base/errors.ts";
import { sessionsOf } from "../../core/conversation-of.ts";
import type { ScriptHost } from "../../core/host/script-host.ts";
import { operationIn } from "../../core/in-session.ts";
import { ignoreProblem } from "../../core/load/report-problems.ts";
import { openOwnSession, openSessionBeside } from "../../core/open-session.ts";
import { isOperationId, OPERATION_IDS, OPERATIONS } from "../../core/operations/all.ts";
import type { NamedOperations } from "../../core/operations/bind-operations.ts";
import type { OperationTool } from "../../core/operations/model-tool.ts";
import type { OperationUse } from "../../core/operations/operation.ts";
import type { OperationId } from "../../core/operations/operation-data.ts";
import { isScriptPath } from "../../core/script/is-script.ts";
import type { ScriptOptions } from "../../core/script/script-options.ts";
import type { Session } from "../../core/session.ts";
import type { Skillset } from "../../core/skillset.ts";
import { withScriptHost } from "../../core/with-script-host.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { emit, type PromptEventListener, SkillActivated } from "./events.ts";
import { recordRead } from "./record-read.ts";
import type { ListedSkills, SkillFolder } from "./section.ts";
import { hasFile, isNotSkillMd } from "./skill-directory.ts";

/** Options for `PromptSkills`. */
export interface PromptSkillsOptions {
  /** Runs the scripts of skills. Without it, no scripts are run. */
  readonly scripts?: ScriptOptions | undefined;
  /** The conversation in which runs of scripts are recorded, and in which loaded skills become active. */
  readonly session?: Session | undefined;
  /** Whether the model is told the folders of skills. */
  readonly showDirectory?: boolean;
  /** Called for each skill that the model loads. */
  readonly onEvent?: PromptEventListener | undefined;
}

/** Returns the operations for skills that the model loads with tools, by the names that the model sees. */
export function listedOperations(omitsNames: boolean, hasScripts: boolean): NamedOperations {
  const isOffered: Readonly<Record<OperationId, boolean>> = {
    activate_skill: true,
    read_skill_file: true,
    run_skill_script: hasScripts,
    search_skills: omitsNames,
    // Skills in folders have no tools in code, and the skills of a prompt need no deactivation.
    call_skill_tool: false,
    deactivate_skill: false,
  };
  return OPERATION_IDS.filter((id) => isOffered[id]).map((id) => ({ definition: OPERATIONS[id], name: id }));
}

/**
 * The tools for the skills of one prompt, however often the prompt is rendered again with more sections open: loading
 * listed skills, reading files, and running scripts.
 */
export class PromptSkills {
  readonly #options: PromptSkillsOptions;
  #host: Promise<ScriptHost> | undefined;
  #own: Promise<Session> | undefined;
  #paths: string | undefined;

  constructor(options: PromptSkillsOptions = {}) {
    this.#options = options;
  }

  get hasScripts(): boolean {
    return this.#options.scripts !== undefined;
  }

  /** Returns the operations for the skills that are shown in full, and for those that a section lists. */
  offer(shown: readonly SkillFolder[], listed: readonly ListedSkills[]): readonly OperationTool[] {
    const loadable = byName(listed.flatMap(({ folders }) => folders));
    const running = this.hasScripts ? withScript(shown, loadable) : [];
    const unlocated = shown.filter(({ folder, isUnlocated }) => isUnlocated && hasFile(folder, isNotSkillMd));
    const usable = byName([...loadable, ...running, ...unlocated]);
    const named: Readonly<Record<OperationId, readonly SkillFolder[]>> = {
      activate_skill: loadable,
      run_skill_script: running,
      read_skill_file: usable,
      search_skills: listed.some(({ omitsNames }) => omitsNames) ? loadable : [],
      call_skill_tool: [],
      deactivate_skill: [],
    };
    return Object.keys(named)
      .filter(isOperationId)
      .filter((id) => named[id].length > 0)
      .map((id): OperationTool => {
        const names = named[id].map(({ name }) => name);
        const operation: OperationTool = operationIn(id, names, () => this.#open(usable), BY_AUTHOR);
        return operation.id === "activate_skill" ? this.#noting(operation, listed) : operation;
      });
  }

  #noting(operation: OperationTool<"activate_skill">, listed: readonly ListedSkills[]): OperationTool {
    return {
      ...operation,
      execute: async (input, options) => {
        const result = await operation.execute(input, options);
        if (!result.isError) await this.#noteLoaded(result.data.name, listed);
        return result;
      },
    };
  }

  /** A failed record has no effect on the model; the ledger of the session contains the reason. */
  async #noteLoaded(name: string, listed: readonly ListedSkills[]): Promise<void> {
    for (const { folders, session } of listed) {
      const found = folders.find((one) => one.name === name);
      if (found === undefined) continue;
      emit(this.#options.onEvent, new SkillActivated({ skillName: name, skillPath: found.folder }));
      await recordRead(found.folder, sessionsOf([session, this.#options.session])).catch(() => {});
      return;
    }
  }

  async #open(folders: readonly SkillFolder[]): Promise<Session> {
    const sources = folders.map(({ skill, folder }) => skill ?? folder);
    const key = folders.map(({ folder }) => folder).join("\0");
    if (this.#own !== undefined && this.#paths === key) return this.#own;
    // The sections have checked what the skills require.
    const loaded = await createSkillset(sources, { onProblem: ignoreProblem, requirements: false });
    const skillset = withScriptHost(loaded, await this.#scripts());
    this.#own ??= this.#start(skillset);
    const own = await this.#own;
    await own.use(skillset);
    this.#paths = key;
    return own;
  }

  async #scripts(): Promise<ScriptHost | undefined> {
    const { scripts } = this.#options;
    if (scripts !== undefined) this.#host ??= openHost(scripts);
    return this.#host;
  }

  #start(skillset: Skillset): Promise<Session> {
    const { session, showDirectory } = this.#options;
    const shown = showDirectory === undefined ? {} : { showDirectory };
    if (session === undefined) return openOwnSession(skillset, shown);
    return openSessionBeside(session, skillset, shown);
  }
}

/** The prompt's author chose the skills, so models may also use those that no catalog lists. */
const BY_AUTHOR = (): OperationUse => ({ by: () => "host" });

/** Loaded when a script is run: most prompts are only rendered. */
async function openHost(options: ScriptOptions): Promise<ScriptHost> {
  const { openScripts } = await import("../../scripts/open-scripts.ts");
  const { host, problems } = await openScripts(options);
  if (host !== undefined) return host;
  throw new SkillError("scripts-disabled", problems[0]?.message ?? "Scripts are disabled.");
}

/** Whether a folder contains a script. */
export function hasScript({ folder }: SkillFolder): boolean {
  return hasFile(folder, isScriptPath);
}

/** Does not search every listed skill, of which there may be thousands: one script is enough to offer the operation. */
function withScript(shown: readonly SkillFolder[], loadable: readonly SkillFolder[]): readonly SkillFolder[] {
  const others = shown.filter((one) => !loadable.includes(one));
  return byName([...others.filter(hasScript), ...(loadable.some(hasScript) ? loadable : [])]);
}

/** The first of several skills with one name is used, as in the order of the sections. */
function byName(folders: readonly SkillFolder[]): readonly SkillFolder[] {
  return [...new Map(folders.toReversed().map((one) => [one.name, one])).values()].toReversed();
}
