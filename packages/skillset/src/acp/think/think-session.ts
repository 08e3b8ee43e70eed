import type { Session } from "../../core/session.ts";
import type { AnySchema } from "../../core/tool/standard-schema.ts";
import type { AgentOptions } from "../plan/agent-options.ts";
import { planFor } from "../plan/think-plan.ts";
import type { Runner } from "../run/runner.ts";
import { type ResultOf, ThinkBuilder } from "./think-builder.ts";

export interface ThinkSessionOptions {
  /** The agent's working folder throughout. */
  readonly cwd?: string;
  /**
   * A session of a skillset, whose skills are on offer in every prompt: with a store, a budget or telemetry. Made with
   * `showDirectory: true` it tells the agent where stored skills are, so that it can run their scripts.
   */
  readonly skills?: Session;
}

/** A conversation with an agent: what was said, and which skills are active, stays from one prompt to the next. */
export class ThinkSession implements AsyncDisposable {
  readonly #runner: Runner;
  readonly #options: AgentOptions;

  /** Use `agent.session()`. */
  constructor(runner: Runner, options: AgentOptions) {
    this.#runner = runner;
    this.#options = options;
  }

  /** The names of the skills that are active, in the order of their activation. */
  get active(): readonly string[] {
    return this.#runner.active;
  }

  /** Begins the next prompt, with tools, skills and a schema of its own; prompts are answered one after the other. */
  think(): ThinkBuilder<string>;
  think<Schema extends AnySchema>(schema: Schema): ThinkBuilder<ResultOf<Schema>>;
  think(schema?: AnySchema): ThinkBuilder<unknown> {
    return new ThinkBuilder(planFor(schema, this.#options), (plan, emit) => this.#runner.perform(plan, emit));
  }

  /** Ends the conversation, and what is under way in it; the agent stays. */
  close(reason?: unknown): Promise<void> {
    return this.#runner.close(reason);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
