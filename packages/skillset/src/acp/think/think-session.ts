import { SkillError } from "../../core/base/errors.ts";
import { untilAborted } from "../../core/base/until-aborted.ts";
import { Session } from "../../core/session.ts";
import type { Skillset } from "../../core/skillset.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { loadNamed } from "../../node/load/load-named.ts";
import { AgentConversation } from "../bridge/conversation.ts";
import type { AgentLink } from "../link/agent-link.ts";
import type { AgentPool, Lease } from "../link/agent-pool.ts";
import { type AgentOptions, conversationOptions } from "../plan/agent-options.ts";
import type { ThinkEvent } from "../plan/think-event.ts";
import { planFor, type ThinkPlan } from "../plan/think-plan.ts";
import { Run } from "../run/run.ts";
import { cwdOf, either, inScope, type RunScope } from "../run/run-scope.ts";
import { type AnySchema, type ResultOf, ThinkBuilder } from "./think-builder.ts";

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
  readonly #pool: AgentPool;
  readonly #options: AgentOptions & ThinkSessionOptions;
  #skills: Session | undefined;
  #lease: Promise<Lease> | undefined;
  #conversation: AgentConversation | undefined;
  /** An agent answers one prompt of a session at a time. */
  #last: Promise<unknown> = Promise.resolve();
  readonly #closed = new AbortController();
  readonly #onClose: (session: ThinkSession) => void;

  /** Use `agent.session()`. */
  constructor(
    pool: AgentPool,
    options: AgentOptions & ThinkSessionOptions,
    onClose: (session: ThinkSession) => void = () => {},
  ) {
    this.#pool = pool;
    this.#options = options;
    this.#onClose = onClose;
    this.#skills = options.skills;
  }

  /** The names of the skills that are active, in the order of their activation. */
  get active(): readonly string[] {
    return this.#skills?.active ?? [];
  }

  /** Begins the next prompt, with tools, skills and a schema of its own; prompts are answered one after the other. */
  think(): ThinkBuilder<string>;
  think<Schema extends AnySchema>(schema: Schema): ThinkBuilder<ResultOf<Schema>>;
  think(schema?: AnySchema): ThinkBuilder<unknown> {
    return new ThinkBuilder(planFor(schema, this.#options), (plan, emit) => {
      const run = this.#perform(plan, emit, this.#last);
      // Both: one that is aborted while it waits is over before the one that it waits for.
      this.#last = Promise.allSettled([this.#last, run]).then(() => {});
      return run;
    });
  }

  /** Ends the conversation, and what is under way in it; the agent stays. */
  async close(reason: unknown = new SkillError("agent-failed", "The conversation was closed.")): Promise<void> {
    this.#closed.abort(reason);
    await this.#last;
    await this.#leave();
    this.#onClose(this);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #leave(): Promise<void> {
    const [lease, conversation] = [this.#lease, this.#conversation];
    this.#lease = undefined;
    this.#conversation = undefined;
    await conversation?.close();
    await lease?.then(({ release }) => release()).catch(() => {});
  }

  async #perform(given: ThinkPlan, emit: (event: ThinkEvent) => void, before: Promise<unknown>): Promise<unknown> {
    const { signal: closed } = this.#closed;
    closed.throwIfAborted();
    const plan = { ...given, signal: either(given.signal, closed) };
    return inScope(plan, async (scope) => {
      await untilAborted(scope.signal, before);
      // For as long as the conversation, not for this prompt alone.
      this.#lease ??= this.#pool.lease(cwdOf(this.#options), closed);
      const { link } = await untilAborted(scope.signal, this.#lease).catch((error: unknown) => {
        if (!scope.signal.aborted) this.#lease = undefined;
        throw error;
      });
      const untie = scope.tie(link);
      try {
        return await this.#goOn(plan, link, scope, emit);
      } finally {
        untie();
        // One that could not even be started is not gone on with.
        if (!this.#conversation?.isOpen) await this.#leave();
      }
    });
  }

  async #goOn(
    plan: ThinkPlan,
    link: AgentLink,
    { cwd, signal }: RunScope,
    emit: (event: ThinkEvent) => void,
  ): Promise<unknown> {
    const brought = await loadNamed(plan.skills, { cwd, signal, policy: "standard" });
    const lasting = this.#skills?.skillset ?? (await createSkillset([]));
    this.#skills ??= new Session(brought, { showDirectory: true });
    const session = this.#skills;
    const options = conversationOptions(link, this.#options, { cwd: cwdOf(this.#options), isLasting: true });
    this.#conversation ??= new AgentConversation(link, session, options);
    const conversation = this.#conversation;
    const skillset = await merge(brought, lasting);
    await session.update(skillset);
    const run = new Run(plan, { link, conversation, skillset, cwd, signal, agent: this.#options, emit });
    try {
      return await run.perform();
    } finally {
      // What the prompt brought goes with it; but a skill that is active stays.
      const kept = brought.filter({ enabled: brought.names.filter((name) => session.active.includes(name)) });
      if (session.skillset === skillset) await session.update(await merge(kept, lasting));
    }
  }
}

/** The first set, and what the second has beside it; the second itself when nothing joins it. */
async function merge(first: Skillset, second: Skillset): Promise<Skillset> {
  return first.size === 0 ? second : createSkillset([first, ...second.skills.filter(({ name }) => !first.has(name))]);
}
