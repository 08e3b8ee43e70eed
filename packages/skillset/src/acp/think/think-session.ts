import { SkillError } from "../../core/base/errors.ts";
import { type SkillUsage, usageOf } from "../../core/session/usage.ts";
import type { Session } from "../../core/session.ts";
import { checkKind } from "../../core/text/describe-value.ts";
import type { AnySchema } from "../../core/tool/standard-schema.ts";
import type { AgentOptions } from "../options/agent-options.ts";
import { checkAccounting, type SkillAccounting } from "../options/skill-accounting.ts";
import { planFor } from "../options/think-plan.ts";
import type { Runner } from "../run/runner.ts";
import { type ResultOf, ThinkBuilder } from "./think-builder.ts";

/** Options for `agent.session()`. */
export interface ThinkSessionOptions extends SkillAccounting {
  /**
   * The agent's working folder for the whole conversation.
   * @default the agent's `cwd`
   */
  readonly cwd?: string;
  /**
   * A session of a skillset whose skills are available in every prompt, for example with a store. It has its own budget
   * and telemetry. Create it with `showDirectory: true` to show the agent where stored skills are, so that it can run their
   * scripts.
   */
  readonly skills?: Session;
}

/** A conversation with an agent: history and active skills persist from one prompt to the next. */
export class ThinkSession implements AsyncDisposable {
  readonly #runner: Runner;
  readonly #options: AgentOptions & { readonly isLasting: true };

  /** Use `agent.session()`. */
  constructor(runner: Runner, options: AgentOptions & { readonly isLasting: true }) {
    this.#runner = runner;
    this.#options = options;
  }

  /** The names of the active skills, in activation order. */
  get active(): readonly string[] {
    return this.#runner.active;
  }

  /** How often the conversation used each skill, and how many tokens their instructions took. */
  get usage(): readonly SkillUsage[] {
    return usageOf(this.#runner.ledger);
  }

  /** Starts the next prompt, with its own tools, skills and schema. Prompts are answered one after another. */
  think(): ThinkBuilder<string>;
  think<Schema extends AnySchema>(schema: Schema): ThinkBuilder<ResultOf<Schema>>;
  think(schema?: AnySchema): ThinkBuilder<unknown> {
    return new ThinkBuilder(planFor(schema, this.#options), (plan, listener) => this.#runner.perform(plan, listener));
  }

  /** Ends the conversation and its active run; the agent keeps running. */
  close(reason?: unknown): Promise<void> {
    return this.#runner.close(reason);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Throws if the options contradict each other. */
export function checkSession({ skills, telemetry, budget }: ThinkSessionOptions): void {
  checkAccounting({ telemetry, budget });
  if (skills !== undefined) checkKind("The option 'skills' of session()", "session", skills);
  if (skills === undefined || (telemetry === undefined && budget === undefined)) return;
  const message = "A session in 'skills' has its own telemetry and budget. Pass them to 'skillset.session()' instead.";
  throw new SkillError("option-invalid", message);
}
