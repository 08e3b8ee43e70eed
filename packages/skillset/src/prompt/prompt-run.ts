import { LIMITS, NAMES } from "../core/base/limits.ts";
import { sessionOf } from "../core/conversation-of.ts";
import { requireTool } from "../core/in-session.ts";
import type { ModelTool } from "../core/operations/model-tool.ts";
import type { Session } from "../core/session.ts";
import {
  aroundCalls,
  type ExecuteOptions,
  type OperationResult,
  type PreparedTool,
  settle,
} from "../core/tool/model-tool.ts";
import { resultIn } from "../core/tool/result-in.ts";
import { ResultSlot } from "../core/tool/result-slot.ts";
import { missingResult, returnResultTool } from "../core/tool/return-result.ts";
import { noteExpanded, openSections, openSectionsTool } from "./open-sections.ts";
import type { PromptResponse } from "./prompt-response.ts";
import type { PromptTemplate } from "./prompt-template.ts";
import { readSection, readSectionTool } from "./read-section.ts";
import type { RenderedPrompt } from "./rendered-prompt.ts";
import type { PromptEventListener } from "./section/events.ts";
import type { AnyParams } from "./section/section.ts";

/** Options of an evaluation that concern its conversation. */
export interface PromptRunOptions {
  /** The conversation that the events refer to. In a `Session`, skills that the model loads or opens become active. */
  readonly session?: Session | { readonly id: string } | undefined;
  /** Called when skills are expanded or activated. */
  readonly onEvent?: PromptEventListener | undefined;
  /**
   * Whether the model returns structured output by calling `return_result`. If not, the evaluator gets it in its own
   * way.
   * @default true
   */
  readonly returnTool?: boolean | undefined;
}

/** What follows after the model's answer: the evaluation is over, or the model must be told something. */
export type PromptEnd<Output> =
  | { readonly response: PromptResponse<Output>; readonly next?: undefined }
  | { readonly response?: undefined; readonly next: string };

/**
 * One evaluation of a prompt: what to send, what the model may call, and how it ends. Evaluators send `text`, offer `tools`
 * with each request, and pass the final answer to `end`.
 */
export class PromptRun<Output> {
  readonly #template: PromptTemplate<AnyParams, Output>;
  readonly #options: PromptRunOptions;
  readonly #slot: ResultSlot | undefined;
  readonly #returnTool: PreparedTool | undefined;
  #first: RenderedPrompt;
  #rendered: RenderedPrompt;
  #isReminded = false;

  /** Use `prompt.start()`. */
  constructor(template: PromptTemplate<AnyParams, Output>, rendered: RenderedPrompt, options: PromptRunOptions) {
    this.#template = template;
    this.#rendered = rendered;
    this.#options = options;
    const { output } = template;
    const slot = output && options.returnTool !== false ? new ResultSlot(output, undefined, "model") : undefined;
    this.#slot = slot;
    this.#returnTool = slot && returnResultTool(slot.inputSchema, (input) => slot.offer(input));
    this.#first = rendered;
  }

  /** The text to send first. */
  get text(): string {
    const { text } = this.#first;
    return this.#slot === undefined ? text : `${text}\n\n${RETURN_RULE}`;
  }

  /** Sets the names that the agent shows its model for the tools of this run. Called before the text is sent. */
  nameTools(toolName: (name: string) => string): void {
    this.#first = this.#first.renamed(toolName);
    this.#rendered = this.#rendered.renamed(toolName);
  }

  /** The prompt as the model sees it now, with the sections that it opened. */
  get rendered(): RenderedPrompt {
    return this.#rendered;
  }

  /** The tools to offer with the next request: more once the model has opened sections. */
  get tools(): readonly ModelTool[] {
    return this.#toolsOf(this.#rendered);
  }

  /** Every tool that may be offered in this run, for SDKs that need all of them at the start. */
  get everyTool(): readonly ModelTool[] {
    let opened = this.#rendered;
    while (opened.summarised.length > 0) opened = opened.reopen(opened.summarised);
    // The schemas of the open prompt name more skills.
    return [...new Map([...this.tools, ...this.#toolsOf(opened)].map((tool) => [tool.name, tool])).values()];
  }

  /** Whether the model has returned a valid result, or may not try again: no further request is needed. */
  get isSettled(): boolean {
    return this.#slot?.value !== undefined || this.#slot?.failure !== undefined;
  }

  /** Calls one of the tools that are offered now. Errors are results for the model. */
  async call(name: string, input: unknown, options?: ExecuteOptions): Promise<OperationResult> {
    const tool = this.tools.find((one) => one.name === name);
    if (tool !== undefined) return tool.execute(input, options);
    const text = `The tool '${name.slice(0, LIMITS.shown.nameCharacters)}' is not available. Open its section first with \`${NAMES.openSections}\`.`;
    return { isError: true, text, code: "tool-not-found" };
  }

  /**
   * Ends the evaluation with the model's answer. If the prompt requires output that is still missing, returns the next
   * message for the model; the second time, throws.
   */
  async end(answer: string): Promise<PromptEnd<Output>> {
    const slot = this.#slot;
    if (slot === undefined) return { response: this.respond(answer, undefined as Output) };
    const written = this.isSettled ? undefined : resultIn(answer);
    if (written !== undefined) await slot.offer({ [NAMES.result]: written.value }, true);
    if (slot.value !== undefined) return { response: this.respond(answer, slot.value.value as Output) };
    if (slot.failure !== undefined) throw slot.failure;
    if (this.#isReminded) throw slot.refusal === undefined ? missingResult("model", answer) : slot.giveUp();
    this.#isReminded = true;
    const refused = slot.refusal === undefined ? "" : ` The last one does not fit: ${slot.refusal}.`;
    return { next: `There is no result yet.${refused} ${RETURN_RULE}` };
  }

  /** Returns a response to this prompt. */
  respond(text: string, output: Output): PromptResponse<Output> {
    const { ns: promptNs, key: promptKey } = this.#template;
    return { promptNs, promptKey, text, output };
  }

  #toolsOf(rendered: RenderedPrompt): readonly ModelTool[] {
    const opener = openSectionsTool(rendered);
    const reader = readSectionTool(rendered);
    return [
      ...rendered.tools.map((tool) => this.#guarded(tool, rendered)),
      ...(opener === undefined ? [] : [{ ...opener, isAvailable: () => true, execute: this.#open }]),
      ...(reader === undefined ? [] : [{ ...reader, isAvailable: () => true, execute: this.#read }]),
      ...(this.#returnTool === undefined ? [] : [this.#returnTool]),
    ];
  }

  /** Skills that are active in the session may restrict the tools of other sections. Tools of skills are always allowed. */
  #guarded(tool: ModelTool, { sections }: RenderedPrompt): ModelTool {
    const session = sessionOf(this.#options.session);
    const isOfSkill = tool.section === undefined || sections.get(tool.section)?.skill !== undefined;
    if (session === undefined || isOfSkill) return tool;
    return aroundCalls(tool, (execute) => async (input, options) => {
      const checked = await settle(async () => {
        requireTool(session, tool.name, input);
        return { text: "", data: {} };
      });
      return checked.isError ? checked : execute(input, options);
    });
  }

  readonly #open: PreparedTool["execute"] = (input) =>
    settle(async () => {
      const { session, onEvent } = this.#options;
      const opened = openSections(this.#rendered, input, { ...(session && { session }), ...(onEvent && { onEvent }) });
      this.#rendered = opened.rendered;
      return { text: opened.text, data: { keys: opened.keys, tools: opened.tools.map(({ name }) => name) } };
    });

  readonly #read: PreparedTool["execute"] = (input) =>
    settle(async () => {
      const { key, text } = readSection(this.#rendered, input);
      noteExpanded(this.#rendered, { key, text }, this.#options);
      return { text, data: { key } };
    });
}

const RETURN_RULE = `When you are done, call the tool \`${NAMES.returnResult}\` with the result.`;
