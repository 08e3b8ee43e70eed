import { SkillError } from "../core/base/errors.ts";
import { redactInParts } from "../core/script/redact-in-parts.ts";
import type { Redactor } from "../core/script/redactor.ts";
import type { ScriptEnd, ScriptJob, ScriptRunner } from "../core/script/script.ts";

/** Runs a job, and replaces secrets in everything that the runner returns, reports or throws. */
export async function hideSecrets(redactor: Redactor, job: ScriptJob, runner: ScriptRunner): Promise<ScriptEnd> {
  if (redactor.isEmpty) return runner.run(job);
  const streams = { stdout: redactor.stream(), stderr: redactor.stream() };
  const show = (stream: keyof typeof streams, text: string): void => {
    if (text !== "") job.onOutput({ stream, text });
  };
  try {
    const end = await runner.run({ ...job, onOutput: ({ stream, text }) => show(stream, streams[stream].push(text)) });
    for (const stream of ["stdout", "stderr"] as const) show(stream, streams[stream].end());
    return await endWithoutSecrets(redactor, end);
  } catch (error) {
    if (error === job.signal.reason) throw error;
    throw withoutSecrets(redactor, error);
  }
}

/** Also if the signal is aborted: the result of a cancelled run has its output, and a limit keeps that short. */
async function endWithoutSecrets(redactor: Redactor, end: ScriptEnd): Promise<ScriptEnd> {
  if (end.outcome === "refused") return { ...end, reason: redactor.text(end.reason) };
  return {
    ...end,
    command: end.command.map((part) => redactor.text(part)),
    stdout: await redactInParts(redactor, end.stdout),
    stderr: await redactInParts(redactor, end.stderr),
  };
}

/** A new error, because properties, the stack and the cause may contain secrets too. */
function withoutSecrets(redactor: Redactor, error: unknown): Error {
  const message = redactor.text(error instanceof Error ? error.message : String(error));
  return error instanceof SkillError ? new SkillError(error.code, message) : new Error(message);
}
