import { SkillError } from "../../core/base/errors.ts";
import { untilAborted } from "../../core/base/until-aborted.ts";
import { checkSession } from "../../core/conversation-of.ts";
import type { ScriptHost } from "../../core/host/script-host.ts";
import { ignoreProblem } from "../../core/load/report-problems.ts";
import { openOwnSession } from "../../core/open-session.ts";
import type { LedgerEntry } from "../../core/session/ledger.ts";
import type { Session } from "../../core/session.ts";
import { deriveSkillset, type Skillset } from "../../core/skillset.ts";
import { withScriptHost } from "../../core/with-script-host.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { loadNamed } from "../../node/load/load-named.ts";
import { AgentSession } from "../bridge/agent-session.ts";
import type { AskedModel } from "../bridge/choose-model.ts";
import type { AgentLink } from "../link/agent-link.ts";
import type { AgentPool, Lease } from "../link/agent-pool.ts";
import { type AgentOptions, sessionOptions } from "../options/agent-options.ts";
import type { RunListener } from "../options/run-listener.ts";
import type { ThinkPlan } from "../options/think-plan.ts";
import { openWorkspaces } from "./prompt/open-workspaces.ts";
import { FIRST_RUN, performRun, type RunMemory } from "./run.ts";
import { cwdOf, either, inScope, type RunScope } from "./run-scope.ts";

/** Options for `Runner`. */
export interface RunnerOptions extends AgentOptions {
  /** Runs the scripts of skills that were not loaded with a runner. */
  readonly scriptHost?: ScriptHost | undefined;
  /** The model that the agent must use. */
  readonly model?: AskedModel | undefined;
  /** Whether the conversation continues after a run. */
  readonly isLasting: boolean;
  /** The skills of every run, in addition to the run's own. */
  readonly skills?: Session;
}

/** Performs runs in one conversation with an agent, one after another. */
export class Runner {
  readonly #pool: AgentPool;
  readonly #options: RunnerOptions;
  readonly #onClose: (runner: Runner) => void;
  #skills: Session | undefined;
  #lease: Promise<Lease> | undefined;
  #session: AgentSession | undefined;
  #memory: RunMemory = FIRST_RUN;
  /** An agent answers one prompt per session at a time. */
  #last: Promise<unknown> = Promise.resolve();
  readonly #closed = new AbortController();
  #ending: Promise<void> | undefined;

  constructor(pool: AgentPool, options: RunnerOptions, onClose: (runner: Runner) => void) {
    this.#pool = pool;
    this.#options = options;
    if (options.skills !== undefined) checkSession(options.skills);
    this.#skills = options.skills;
    this.#onClose = onClose;
  }

  /** The names of the active skills, in activation order. */
  get active(): readonly string[] {
    return this.#skills?.active ?? [];
  }

  /** Every ledger entry of the conversation's session. */
  get ledger(): readonly LedgerEntry[] {
    return this.#skills?.ledger.entries ?? [];
  }

  perform(plan: ThinkPlan, listener: RunListener): Promise<unknown> {
    const run = this.#perform(plan, listener, this.#last);
    // Wait for both: a run that is aborted in the queue settles before the run ahead of it.
    this.#last = Promise.allSettled([this.#last, run]).then(() => {});
    return run;
  }

  /** Ends the conversation and its active run; the agent keeps running. */
  close(reason: unknown = new SkillError("agent-failed", "The conversation was closed.")): Promise<void> {
    this.#closed.abort(reason);
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    await this.#last;
    await this.#endSession();
    await this.#release();
    this.#onClose(this);
  }

  async #perform(given: ThinkPlan, listener: RunListener, before: Promise<unknown>): Promise<unknown> {
    const { signal: closed } = this.#closed;
    closed.throwIfAborted();
    const plan = { ...given, signal: either(given.signal, closed) };
    return inScope(plan, async (scope) => {
      await untilAborted(scope.signal, before);
      // The lease lasts for the whole conversation, not just this run.
      this.#lease ??= this.#pool.lease(cwdOf(this.#options), closed);
      const { link } = await untilAborted(scope.signal, this.#lease).catch((error: unknown) => {
        if (!scope.signal.aborted) this.#lease = undefined;
        throw error;
      });
      const untie = scope.tie(link);
      try {
        return await this.#run(plan, link, scope, listener);
      } finally {
        // A conversation that could not be started is not reused.
        const isOver = !this.#options.isLasting || !this.#session?.isOpen;
        if (isOver) await this.#endSession();
        // Untie before the release, which may close the link: that is not why the run ended.
        untie();
        if (isOver) await this.#release();
      }
    });
  }

  async #run(plan: ThinkPlan, link: AgentLink, { cwd, signal }: RunScope, listener: RunListener): Promise<unknown> {
    const { isLasting, scriptHost, allowedTools, toolNames } = this.#options;
    const rules = { ...(allowedTools && { allowedTools }), ...(toolNames && { toolNames }) };
    await openWorkspaces(plan, cwd, signal);
    await plan.prompt?.prompt.checkRequirements({ signal });
    const brought = await loadNamed(plan.skills, { cwd, signal, policy: "standard" });
    const lasting = this.#skills?.skillset;
    const { telemetry, budget } = plan;
    this.#skills ??= await openOwnSession(brought, { showDirectory: true, ...rules, telemetry, budget });
    const skills = this.#skills;
    const { model } = this.#options;
    const options = { cwd: cwdOf(this.#options), isLasting, model };
    this.#session ??= new AgentSession(link, sessionOptions(link, this.#options, options));
    const session = this.#session;
    const skillset = withScriptHost(lasting === undefined ? brought : await merge(brought, lasting), scriptHost);
    await skills.use(skillset);
    try {
      const given = { session, skills, memory: this.#memory, cwd, signal, agent: this.#options, ...listener };
      const { result, memory } = await performRun(plan, given);
      this.#memory = memory;
      if (result.status === "rejected") throw result.reason;
      return result.value;
    } finally {
      if (isLasting && skills.skillset === skillset) {
        // The skills of this run are removed, except for active ones.
        const kept = brought.filter({ enabled: brought.names.filter((name) => skills.active.includes(name)) });
        await skills.use(withScriptHost(await merge(kept, lasting ?? (await createSkillset([]))), scriptHost));
      }
    }
  }

  async #endSession(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    this.#memory = FIRST_RUN;
    await session?.close();
  }

  async #release(): Promise<void> {
    const lease = this.#lease;
    this.#lease = undefined;
    await lease?.then(({ release }) => release()).catch(() => {});
  }
}

/** Adds the skills of the second set that the first lacks; returns the second set if the first is empty. */
async function merge(first: Skillset, second: Skillset): Promise<Skillset> {
  if (first.size === 0) return second;
  const { embedding, budget } = first.settings;
  const others = deriveSkillset(second, ({ entries, settings }) => ({
    entries: entries.filter(({ name, status }) => status === "enabled" && !first.has(name)),
    problems: [],
    // One of them has to apply: that of the prompt, which is newer.
    settings: { ...settings, ...(embedding && { embedding }), ...(budget && { budget }) },
  }));
  // The requirements of both sets have been checked.
  return createSkillset([first, others], { requirements: false, onProblem: ignoreProblem });
}
