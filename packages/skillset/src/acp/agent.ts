import { resolve } from "node:path";
import { SkillError } from "../core/base/errors.ts";
import { checkOptions, type OptionTable } from "../core/text/check-options.ts";
import type { AnySchema } from "../core/tool/standard-schema.ts";
import type { AgentPool } from "./link/agent-pool.ts";
import { planFor } from "./options/think-plan.ts";
import { cwdOf } from "./run/run-scope.ts";
import { Runner, type RunnerOptions } from "./run/runner.ts";
import { type ResultOf, ThinkBuilder } from "./think/think-builder.ts";
import { checkSession, ThinkSession, type ThinkSessionOptions } from "./think/think-session.ts";

/** A connected agent. Concurrent runs are isolated from each other. */
export class Agent implements AsyncDisposable {
  readonly #pool: AgentPool;
  readonly #options: Omit<RunnerOptions, "isLasting">;
  readonly #runners = new Set<Runner>();
  readonly #closed = new AbortController();

  /** Use `connectAgent()`. */
  constructor(pool: AgentPool, options: Omit<RunnerOptions, "isLasting">) {
    this.#pool = pool;
    this.#options = options;
  }

  /** The agent's self-reported name; empty if it reports none. */
  get name(): string {
    return this.#pool.link.name;
  }

  /** The agent's self-reported version; empty if it reports none. */
  get version(): string {
    return this.#pool.link.version;
  }

  /** Starts a prompt. The answer is text; with a schema, a value that matches it. */
  think(): ThinkBuilder<string>;
  think<Schema extends AnySchema>(schema: Schema): ThinkBuilder<ResultOf<Schema>>;
  think(schema?: AnySchema): ThinkBuilder<unknown> {
    return new ThinkBuilder(planFor(schema, { ...this.#options, isLasting: false }), async (plan, listener) => {
      this.#closed.signal.throwIfAborted();
      const runner = this.#startRunner({ ...this.#options, cwd: cwdOf(plan), isLasting: false });
      try {
        return await runner.perform(plan, listener);
      } finally {
        await runner.close();
      }
    });
  }

  /** Starts a conversation: history and active skills persist from one prompt to the next. */
  session(options: ThinkSessionOptions = {}): ThinkSession {
    checkOptions("session()", options, SESSION_OPTIONS);
    checkSession(options);
    const cwd = resolve(this.#options.cwd ?? "", options.cwd ?? "");
    const all = { ...this.#options, ...options, cwd, isLasting: true as const };
    return new ThinkSession(this.#startRunner(all), all);
  }

  /** Stops the agent and its process group. Running prompts are cancelled and fail with `reason`. */
  async close(reason: unknown = new SkillError("agent-failed", "The agent was closed.")): Promise<void> {
    this.#closed.abort(reason);
    // Runs are cancelled first: an agent that stops on its own leaves less behind.
    await Promise.all([...this.#runners].map((runner) => runner.close(reason)));
    await this.#pool.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #startRunner(options: RunnerOptions): Runner {
    const runner = new Runner(this.#pool, options, (one) => this.#runners.delete(one));
    this.#runners.add(runner);
    return runner;
  }
}

const SESSION_OPTIONS: OptionTable<ThinkSessionOptions> = {
  cwd: true,
  skills: true,
  telemetry: true,
  budget: true,
};
