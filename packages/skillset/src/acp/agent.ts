import { resolve } from "node:path";
import { SkillError } from "../core/base/errors.ts";
import type { AnySchema } from "../core/tool/standard-schema.ts";
import type { AgentPool } from "./link/agent-pool.ts";
import type { AgentOptions } from "./plan/agent-options.ts";
import { planFor } from "./plan/think-plan.ts";
import { cwdOf } from "./run/run-scope.ts";
import { Runner, type RunnerOptions } from "./run/runner.ts";
import { type ResultOf, ThinkBuilder } from "./think/think-builder.ts";
import { ThinkSession, type ThinkSessionOptions } from "./think/think-session.ts";

/** An agent that is connected. Runs on it do not mix, however many there are at once. */
export class Agent implements AsyncDisposable {
  readonly #pool: AgentPool;
  readonly #options: AgentOptions;
  readonly #runners = new Set<Runner>();
  readonly #closed = new AbortController();

  /** Use `connectAgent()`. */
  constructor(pool: AgentPool, options: AgentOptions) {
    this.#pool = pool;
    this.#options = options;
  }

  /** What the agent calls itself; empty when it does not say. */
  get name(): string {
    return this.#pool.link.name;
  }

  get version(): string {
    return this.#pool.link.version;
  }

  /** Begins a prompt whose answer is a text; with a schema, a value that fits it. */
  think(): ThinkBuilder<string>;
  think<Schema extends AnySchema>(schema: Schema): ThinkBuilder<ResultOf<Schema>>;
  think(schema?: AnySchema): ThinkBuilder<unknown> {
    return new ThinkBuilder(planFor(schema, this.#options), async (plan, emit) => {
      this.#closed.signal.throwIfAborted();
      const runner = this.#startRunner({ ...this.#options, cwd: cwdOf(plan), isLasting: false });
      try {
        return await runner.perform(plan, emit);
      } finally {
        await runner.close();
      }
    });
  }

  /** Begins a conversation: what was said, and which skills are active, stays from one prompt to the next. */
  session(options: ThinkSessionOptions = {}): ThinkSession {
    const cwd = resolve(this.#options.cwd ?? "", options.cwd ?? "");
    const all = { ...this.#options, ...options, cwd, isLasting: true };
    return new ThinkSession(this.#startRunner(all), all);
  }

  /** Ends the agent and its process group; runs that are under way are cancelled, and fail with the reason. */
  async close(reason: unknown = new SkillError("agent-failed", "The agent was closed.")): Promise<void> {
    this.#closed.abort(reason);
    // Runs are cancelled first: an agent that may stop by itself leaves less behind.
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
