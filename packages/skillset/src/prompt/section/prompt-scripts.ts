import { SkillError } from "../../core/base/errors.ts";
import { contextOf } from "../../core/context-of.ts";
import type { OperationId } from "../../core/operations/all.ts";
import { bindOperations } from "../../core/operations/bind-operations.ts";
import type { OperationDefinition } from "../../core/operations/operation.ts";
import { readSkillFile } from "../../core/operations/read-skill-file.ts";
import { runSkillScript } from "../../core/operations/run-skill-script.ts";
import { isScriptPath } from "../../core/script/is-script.ts";
import type { ScriptOptions } from "../../core/script/script-options.ts";
import type { ScriptHost } from "../../core/session/script-host.ts";
import { Session } from "../../core/session.ts";
import { type ModelTool, settle } from "../../core/tool/model-tool.ts";
import type { JsonSchema } from "../../core/tool/standard-schema.ts";
import { withScripts } from "../../core/with-scripts.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { ignoreProblem } from "../../node/load/report-problems.ts";
import { walkListed } from "../../node/skill-folder/folder-files.ts";
import type { SkillFolder } from "./section.ts";

/** Runs the scripts of the skills in one prompt, however often the prompt is rendered again with more sections open. */
export class PromptScripts {
  readonly #options: ScriptOptions;
  readonly #session: Session | undefined;
  #host: Promise<ScriptHost> | undefined;
  #own: Session | undefined;
  #paths: string | undefined;

  /** The runs are recorded in `session`. */
  constructor(options: ScriptOptions, session?: Session) {
    this.#options = options;
    this.#session = session;
  }

  /** Returns the operations for these skills: running their scripts, and reading what the scripts wrote. */
  tools(shown: readonly SkillFolder[]): readonly ModelTool[] {
    const folders = shown.filter(({ folder }) => hasScript(folder));
    if (folders.length === 0) return [];
    const skillName: JsonSchema = {
      type: "string",
      description: "The skill's name",
      enum: folders.map(({ name }) => name),
    };
    const operations: readonly OperationDefinition<OperationId>[] = [runSkillScript, readSkillFile];
    return operations.map(({ id, title, description, properties, required, readOnly }) => ({
      id,
      name: id,
      title,
      description,
      inputSchema: { type: "object", properties: properties(skillName), required, additionalProperties: false },
      readOnly,
      isAvailable: () => true,
      execute: async (input, options) => {
        const opened = await settle(async () => ({ text: "", data: { session: await this.#open(folders) } }));
        if (opened.isError) return opened;
        const context = contextOf(opened.data.session as Session);
        // The prompt's author chose the skills, so models may also use those that no catalog lists.
        const [operation] = bindOperations(context, { include: [id], fixedList: true }, () => ({ by: () => "host" }));
        return (operation as ModelTool).execute(input, options);
      },
    }));
  }

  async #open(folders: readonly SkillFolder[]): Promise<Session> {
    const paths = folders.map(({ folder }) => folder);
    const key = paths.join("\0");
    if (this.#own !== undefined && this.#paths === key) return this.#own;
    this.#host ??= openHost(this.#options);
    const skillset = withScripts(await createSkillset(paths, { onProblem: ignoreProblem }), await this.#host);
    this.#own ??= this.#start(skillset);
    await this.#own.update(skillset);
    this.#paths = key;
    return this.#own;
  }

  #start(skillset: Parameters<typeof withScripts>[0]): Session {
    const session = this.#session;
    if (session === undefined) return new Session(skillset);
    const { toolRules, scriptHooks } = contextOf(session);
    const { allowedTools, toolNames } = toolRules;
    const rules = { ...(allowedTools && { allowedTools }), ...(toolNames && { toolNames }) };
    const own = new Session(skillset, { id: session.id, scripts: scriptHooks, ...rules });
    for (const type of ["script-run", "script-consent", "tool-denied", "tool-outside"] as const)
      own.on(type, ({ at: _at, ...event }) => contextOf(session).record(event));
    return own;
  }
}

/** Loaded when a script is run: most prompts are only rendered. */
async function openHost(options: ScriptOptions): Promise<ScriptHost> {
  const { openScripts } = await import("../../scripts/open-scripts.ts");
  const { host, problems } = await openScripts(options);
  if (host !== undefined) return host;
  throw new SkillError("scripts-disabled", problems[0]?.message ?? "Scripts are disabled.");
}

function hasScript(folder: string): boolean {
  for (const { kind, path } of walkListed(folder)) if (kind === "file" && isScriptPath(path)) return true;
  return false;
}
