import type { Session } from "../../core/session.ts";
import type { AnySchema } from "../../core/tool/standard-schema.ts";
import type { AgentOptions } from "../options/agent-options.ts";
import { planFor } from "../options/think-plan.ts";
import type { Runner } from "../run/runner.ts";
import { type ResultOf, ThinkBuilder } from "./think-builder.ts";

/** Options for `agent.session()`. */
export interface ThinkSessionOptions {
  /**
   * The agent's working folder for the whole conversation.
   * @default the agent's `cwd`
   */
  readonly cwd?: string;
  /**
   * A session of a skillset whose skills are available in every prompt, for example with a store, a budget or
   * telemetry. Create it with `showDirectory: true` to show the agent where stored skills are, so that it can run their
   * scripts.
   */
  readonly skills?: Session;
}

/** A conversation with an agent: history and active skills persist from one prompt to the next. */
export class ThinkSession implements AsyncDisposable {
  readonly #runner: Runner;
  readonly #options: AgentOptions;

  /** Use `agent.session()`. */
  constructor(runner: Runner, options: AgentOptions) {
    this.#runner = runner;
    this.#options = options;
  }

  /** The names of the active skills, in activation order. */
  get active(): readonly string[] {
    return this.#runner.active;
  }

  /** Starts the next prompt, with its own tools, skills and schema. Prompts are answered one after another. */
  think(): ThinkBuilder<string>;
  think<Schema extends AnySchema>(schema: Schema): ThinkBuilder<ResultOf<Schema>>;
  think(schema?: AnySchema): ThinkBuilder<unknown> {
    return new ThinkBuilder(planFor(schema, this.#options), (plan, emit) => this.#runner.perform(plan, emit));
  }

  /** Ends the conversation and its active run; the agent keeps running. */
  close(reason?: unknown): Promise<void> {
    return this.#runner.close(reason);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
