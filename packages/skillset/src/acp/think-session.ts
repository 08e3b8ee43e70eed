import { untilAborted } from "../core/until-aborted.ts";
import { createSkillset } from "../node/create-skillset.ts";
import type { AgentLink } from "./agent-link.ts";
import { type AgentOptions, conversationOptions } from "./agent-options.ts";
import type { AgentPool, Lease } from "./agent-pool.ts";
import { Conversation } from "./conversation.ts";
import { loadSkills } from "./load-skills.ts";
import { Run } from "./run.ts";
import { cwdOf, inScope, type RunScope } from "./run-scope.ts";
import { type AnySchema, type ResultOf, ThinkBuilder } from "./think-builder.ts";
import type { ThinkEvent } from "./think-event.ts";
import { planFor, type ThinkPlan } from "./think-plan.ts";

/** A conversation with an agent: what was said, and which skills are active, stays from one prompt to the next. */
export class ThinkSession implements AsyncDisposable {
  readonly #pool: AgentPool;
  readonly #options: AgentOptions;
  #lease: Promise<Lease> | undefined;
  #conversation: Conversation | undefined;
  /** An agent answers one prompt of a session at a time. */
  #last: Promise<unknown> = Promise.resolve();

  /** Use `agent.session()`. */
  constructor(pool: AgentPool, options: AgentOptions) {
    this.#pool = pool;
    this.#options = options;
  }

  /** The names of the skills that are active, in the order of their activation. */
  get active(): readonly string[] {
    return this.#conversation?.session.active ?? [];
  }

  /** Begins the next prompt, with tools, skills and a schema of its own; prompts are answered one after the other. */
  think(): ThinkBuilder<string>;
  think<Schema extends AnySchema>(schema: Schema): ThinkBuilder<ResultOf<Schema>>;
  think(schema?: AnySchema): ThinkBuilder<unknown> {
    return new ThinkBuilder(planFor(schema, this.#options), (plan, emit) => {
      const before = this.#last;
      const run = this.#perform(plan, emit, before);
      this.#last = run.catch(() => {});
      return run;
    });
  }

  /** Ends the conversation; the agent stays. */
  async close(): Promise<void> {
    const lease = this.#lease;
    this.#lease = undefined;
    await this.#conversation?.close();
    this.#conversation = undefined;
    await lease?.then(({ release }) => release()).catch(() => {});
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #perform(plan: ThinkPlan, emit: (event: ThinkEvent) => void, before: Promise<unknown>): Promise<unknown> {
    this.#lease ??= this.#pool.lease(cwdOf(this.#options), plan.signal);
    const { link } = await this.#lease.catch((error: unknown) => {
      this.#lease = undefined;
      throw error;
    });
    return inScope(plan, link, async (scope) => {
      await untilAborted(scope.signal, before);
      return this.#goOn(plan, link, scope, emit);
    });
  }

  async #goOn(
    plan: ThinkPlan,
    link: AgentLink,
    { cwd, signal }: RunScope,
    emit: (event: ThinkEvent) => void,
  ): Promise<unknown> {
    const { catalog = {}, inject = false } = this.#options;
    const skillset = await loadSkills({ ...plan, cwd }, signal);
    const options = conversationOptions(link, this.#options, { cwd: cwdOf(this.#options), isLasting: true });
    this.#conversation ??= new Conversation(link, skillset, options);
    const conversation = this.#conversation;
    const { session } = conversation;
    // Skills that are active stay usable, though this prompt does not bring them.
    const kept = session.skillset.skills.filter(({ name }) => session.active.includes(name) && !skillset.has(name));
    await session.update(kept.length === 0 ? skillset : await createSkillset([skillset, ...kept], { signal }));
    const run = new Run(plan, { link, conversation, skillset, cwd, signal, catalog, inject, emit });
    try {
      return await run.perform();
    } finally {
      // One that could not even be started is not gone on with.
      if (!conversation.isOpen) await this.close();
    }
  }
}
