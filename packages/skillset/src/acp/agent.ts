import { resolve } from "node:path";
import { SkillError } from "../core/base/errors.ts";
import { Session } from "../core/session.ts";
import { loadNamed } from "../node/load/load-named.ts";
import { AgentConversation } from "./bridge/conversation.ts";
import type { AgentPool } from "./link/agent-pool.ts";
import { type AgentOptions, conversationOptions } from "./plan/agent-options.ts";
import type { ThinkEvent } from "./plan/think-event.ts";
import { planFor, type ThinkPlan } from "./plan/think-plan.ts";
import { Run } from "./run/run.ts";
import { either, inScope } from "./run/run-scope.ts";
import { type AnySchema, type ResultOf, ThinkBuilder } from "./think/think-builder.ts";
import { ThinkSession, type ThinkSessionOptions } from "./think/think-session.ts";

/** An agent that is connected. Runs on it do not mix, however many there are at once. */
export class Agent implements AsyncDisposable {
  readonly #pool: AgentPool;
  readonly #options: AgentOptions;
  readonly #runs = new Set<Promise<unknown>>();
  readonly #sessions = new Set<ThinkSession>();
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
    return new ThinkBuilder(planFor(schema, this.#options), (plan, emit) => {
      const run = this.#perform(plan, emit);
      const done: Promise<unknown> = run.catch(() => {}).finally(() => this.#runs.delete(done));
      this.#runs.add(done);
      return run;
    });
  }

  /** Begins a conversation: what was said, and which skills are active, stays from one prompt to the next. */
  session(options: ThinkSessionOptions = {}): ThinkSession {
    const cwd = resolve(this.#options.cwd ?? "", options.cwd ?? "");
    const session = new ThinkSession(this.#pool, { ...this.#options, ...options, cwd }, (one) =>
      this.#sessions.delete(one),
    );
    this.#sessions.add(session);
    return session;
  }

  /** Ends the agent and its process group; runs that are under way are cancelled, and fail with the reason. */
  async close(reason: unknown = new SkillError("agent-failed", "The agent was closed.")): Promise<void> {
    this.#closed.abort(reason);
    // Told first: an agent that is in the middle of something leaves less behind when it may stop by itself.
    await Promise.all([...this.#runs, ...[...this.#sessions].map((session) => session.close(reason))]);
    await this.#pool.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #perform(given: ThinkPlan, emit: (event: ThinkEvent) => void): Promise<unknown> {
    const plan = { ...given, signal: either(given.signal, this.#closed.signal) };
    return inScope(plan, async ({ cwd, signal, tie }) => {
      const { link, release } = await this.#pool.lease(cwd, signal);
      const untie = tie(link);
      try {
        const skillset = await loadNamed(plan.skills, { cwd, signal, policy: "standard" });
        const options = conversationOptions(link, this.#options, { cwd, isLasting: false });
        const session = new Session(skillset, { showDirectory: true });
        const conversation = new AgentConversation(link, session, options);
        try {
          const run = new Run(plan, { link, conversation, skillset, cwd, signal, agent: this.#options, emit });
          return await run.perform();
        } finally {
          await conversation.close();
        }
      } finally {
        untie();
        await release();
      }
    });
  }
}
