import { resolve } from "node:path";
import { abortWith } from "../../core/base/abort-with.ts";
import { SkillError } from "../../core/base/errors.ts";
import type { AgentLink } from "../link/agent-link.ts";
import type { ThinkPlan } from "../plan/think-plan.ts";

/** Where a run is at home, and for how long. */
export interface RunScope {
  readonly cwd: string;
  /** Aborted by the caller's signal, by the timeout, and by the end of the agent that it is tied to. */
  readonly signal: AbortSignal;
  /** Ties the run to an agent, until what is given back is called. */
  tie(link: AgentLink): () => void;
}

/** The working folder of a plan, absolute. */
export function cwdOf({ base = "", cwd = "" }: Pick<ThinkPlan, "base" | "cwd">): string {
  return resolve(base, cwd);
}

/** Does the work of a run within its scope; when the scope ends early, the work fails with the reason for it. */
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
    // No result that fits is the run's own failure, whatever has become of the agent since.
    const isOwn = error instanceof SkillError && error.code === "result-invalid";
    throw controller.signal.aborted && !isOwn ? controller.signal.reason : error;
  } finally {
    clearTimeout(timer);
    stop();
  }
}

/** A signal that is aborted when one of two is. */
export function either(first: AbortSignal | undefined, second: AbortSignal): AbortSignal {
  return first === undefined ? second : AbortSignal.any([first, second]);
}
