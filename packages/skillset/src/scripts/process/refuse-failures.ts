import type { ScriptEnd } from "../../core/script/script.ts";

/**
 * Wraps the `run` of a runner, so that it never rejects. What the machine lacks, such as space for a temporary folder, is
 * a refusal without paths: a model may read it.
 */
export function refuseFailures<Job extends { readonly signal: AbortSignal }>(
  run: (job: Job) => Promise<ScriptEnd>,
): (job: Job) => Promise<ScriptEnd> {
  return async (job) => {
    try {
      return await run(job);
    } catch (error) {
      if (job.signal.aborted) return { outcome: "aborted", command: [], stdout: "", stderr: "" };
      return { outcome: "refused", reason: `The runner cannot be used: ${describe(codeOf(error))}.` };
    }
  };
}

function describe(code: string | undefined): string {
  if (code === "ENOSPC" || code === "EDQUOT") return "no space is left on this machine";
  return code === undefined ? "it failed" : `its temporary files cannot be written or read (${code})`;
}

/** The code of the system, such as `ENOSPC`. An error that explains another has it in its cause. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as NodeJS.ErrnoException;
  return code !== undefined && /^E[A-Z0-9]+$/.test(code) ? code : codeOf(error.cause);
}
