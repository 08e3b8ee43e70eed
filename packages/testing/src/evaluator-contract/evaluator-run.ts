import assert from "node:assert/strict";
import { join } from "node:path";
import {
  AgentSkillsSection,
  type AgentSkillsSectionOptions,
  MarkdownSection,
  Prompt,
  type PromptEvent,
  PromptTemplate,
  type PromptTemplateOptions,
  type Section,
} from "skillset/prompt";
import { withFolder } from "../contract/contract-conversation.ts";
import type { ScriptStep, ToolCall } from "../model/script.ts";
import { startScriptedModel } from "../model/scripted-model.ts";
import type { ReceivedRequest } from "../wire/model-request.ts";
import type { ContractEvaluator, ListedSkill, StartedEvaluator } from "./contract-evaluator.ts";

export interface EvaluatorRunSetup {
  readonly script: readonly ScriptStep[];
  /**
   * Files of listed skills: `tea/SKILL.md`.
   * @default {}
   */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

export interface EvaluatorRun extends Pick<StartedEvaluator, "evaluate"> {
  /** The working folder. */
  readonly folder: string;
  /** The requests of the conversation, as the evaluator views them. */
  readonly requests: readonly ReceivedRequest[];
}

/** Starts a model and an evaluator, runs the work, and checks that everything followed the script. */
export async function withEvaluator(
  evaluator: ContractEvaluator,
  { script, files = {} }: EvaluatorRunSetup,
  work: (run: EvaluatorRun) => Promise<void>,
): Promise<void> {
  const isSide = evaluator.hasSideRequests ? {} : { isSide: () => false };
  const model = await startScriptedModel(script, isSide);
  try {
    await withFolder({ ...below("skills", files), "notes.txt": "Nothing here." }, async (folder) => {
      const started = await evaluator.start({ modelUrl: model.url, folder });
      try {
        await work({
          folder,
          evaluate: (prompt, options) => started.evaluate(prompt, options),
          get requests() {
            return model.requests.filter(({ side }) => !side).map((one) => evaluator.view?.(one) ?? one);
          },
        });
      } catch (error) {
        // If the script could not be played, the fault explains more than the failed assertion.
        assert.deepEqual(model.faults, [], (error as Error).message);
        throw error;
      } finally {
        await started.close();
      }
    });
  } finally {
    await model.close();
  }
  assert.deepEqual(model.faults, []);
}

function below<Content>(folder: string, files: Readonly<Record<string, Content>>): Record<string, Content> {
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content]));
}

export const DONE = { say: "Done." };

export const TASK = new MarkdownSection({ title: "Task", key: "task", template: "Look at the kettle." });

/** Returns a prompt with these sections. */
export function promptOf<Output>(
  sections: readonly Section[],
  more: Pick<PromptTemplateOptions<unknown, Output>, "output"> = {},
): Prompt<unknown, Output> {
  return new Prompt(new PromptTemplate<unknown, Output>({ ns: "contract", key: "kettle", sections, ...more }));
}

/** Returns a section that lists the skills in the working folder. */
export function listedIn(folder: string, options: Partial<AgentSkillsSectionOptions> = {}): AgentSkillsSection {
  return new AgentSkillsSection({ skillsDir: join(folder, "skills"), mountPath: "skills", ...options });
}

/** Returns a `SKILL.md`. */
export function skillFile(name: string, body: string, more = ""): string {
  return `---\nname: ${name}\ndescription: Makes ${name}. Use when asked for ${name}.\n${more}---\n\n${body}\n`;
}

/** Collects events of one type. */
export function eventsOf<Type extends PromptEvent["type"]>(type: Type) {
  const events: Extract<PromptEvent, { readonly type: Type }>[] = [];
  const onEvent = (event: PromptEvent): void => {
    if (event.type === type) events.push(event as (typeof events)[number]);
  };
  return { events, onEvent };
}

/** The call that opens sections. */
export function openCall(...keys: readonly string[]): ToolCall {
  return { call: "open_sections", input: { section_keys: keys, reason: "The task needs it." } };
}

/** The call of a tool of a section that was opened before. */
export function openedCall(
  evaluator: ContractEvaluator,
  tool: string,
  input: Readonly<Record<string, unknown>>,
): ToolCall {
  return evaluator.openedCall?.(tool, input) ?? { call: tool, input };
}

/** The call that returns structured output. */
export function outputCall(evaluator: ContractEvaluator, output: Readonly<Record<string, unknown>>): ToolCall {
  return evaluator.outputCall?.(output) ?? { call: "return_result", input: output };
}

/** The call that loads a listed skill. */
export function loadCall(evaluator: ContractEvaluator, skill: ListedSkill): ToolCall {
  return evaluator.loadCall?.(skill) ?? { call: "activate_skill", input: { name: skill.name } };
}

/** The call that reads a file of a listed skill. */
export function fileCall(evaluator: ContractEvaluator, skill: ListedSkill, path: string): ToolCall {
  return evaluator.fileCall?.(skill, path) ?? { call: "read_skill_file", input: { skill: skill.name, path } };
}

/** Returns the request with this index. */
export function requestAt({ requests }: EvaluatorRun, index: number): ReceivedRequest {
  const request = requests.at(index);
  assert.ok(request, `The model received no request ${index}, only ${requests.length}.`);
  return request;
}

/** Returns the result of the newest call. */
export function lastResult(run: EvaluatorRun): string {
  return requestAt(run, -1).toolResults.at(-1)?.text ?? "";
}

/** Asserts that a text contains another one, and shows the text if not. */
export function assertIncludes(text: string, part: string): void {
  assert.ok(text.includes(part), `'${part}' is missing in:\n${text}`);
}

/** Asserts that a text does not contain another one, and shows the text if it does. */
export function assertExcludes(text: string, part: string): void {
  assert.ok(!text.includes(part), `'${part}' is in:\n${text}`);
}
