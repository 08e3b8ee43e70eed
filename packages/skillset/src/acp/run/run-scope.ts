import { resolve } from "node:path";
import { abortWith } from "../../core/base/abort-with.ts";
import { SkillError } from "../../core/base/errors.ts";
import type { AgentLink } from "../link/agent-link.ts";
import type { ThinkPlan } from "../options/think-plan.ts";

/** The working folder and lifetime of a run. */
export interface RunScope {
  readonly cwd: string;
  /** Aborted by the caller's signal, by the timeout, or when the agent it is tied to ends. */
  readonly signal: AbortSignal;
  /** Ties the run to an agent until the returned function is called. */
  tie(link: AgentLink): () => void;
}

/** The absolute working folder of a plan. */
export function cwdOf({ base = "", cwd = "" }: Pick<ThinkPlan, "base" | "cwd">): string {
  return resolve(base, cwd);
}

/** Runs `work` within the scope of a run. If the scope ends early, rejects with its reason. */
export async function inScope<Result>(plan: ThinkPlan, work: (scope: RunScope) => Promise<Result>): Promise<Result> {
  const { signal, timeout } = plan;
  const controller = new AbortController();
  const stop = abortWith(signal, controller);
  const late = new SkillError("run-timed-out", `The run took longer than ${timeout} ms and was cancelled.`);
  const timer = timeout === undefined ? undefined : setTimeout(() => controller.abort(late), timeout);
  const tie = (link: AgentLink): (() => void) => {
    const untie = abortWith(link.signal, controller);
    const release = link.hold();
    return () => {
      untie();
      release();
    };
  };
  try {
    controller.signal.throwIfAborted();
    return await work({ cwd: cwdOf(plan), signal: controller.signal, tie });
  } catch (error) {
    // An invalid result is reported as such, even if the agent has ended since.
    const isOwn = error instanceof SkillError && error.code === "result-invalid";
    throw controller.signal.aborted && !isOwn ? controller.signal.reason : error;
  } finally {
    clearTimeout(timer);
    stop();
  }
}

/** Returns a signal that is aborted when either signal is. */
export function either(first: AbortSignal | undefined, second: AbortSignal): AbortSignal {
  return first === undefined ? second : AbortSignal.any([first, second]);
}
