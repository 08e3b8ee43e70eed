import { randomUUID } from "node:crypto";
import { describeLevel } from "../../core/script/describe-level.ts";
import type { ConsentAnswer, ConsentRequest } from "../../core/script/script.ts";
import { visibleText } from "../../core/text/escape.ts";
import { fieldsOf } from "./message.ts";

/** Sends a request to the editor, and resolves to its result. */
export type AskEditor = (method: string, params: object, signal: AbortSignal) => Promise<unknown>;

/** Asks the person at the editor whether a script may run. `callId` is the agent's call, if it is known. */
export async function askForScript(
  request: ConsentRequest,
  ask: AskEditor,
  { sessionId, callId = `${request.skill}-${randomUUID()}` }: { readonly sessionId: string; readonly callId?: string },
): Promise<ConsentAnswer> {
  const { skill, script, args, input, files, env, level, signal } = request;
  // The model chooses the script, so its name must not hide anything.
  const variables = env === undefined ? "" : `, with ${env.join(", ")}`;
  const title = visibleText(`Run ${script} of skill '${skill}' ${describeLevel(level)}${variables}`);
  const toolCall = {
    toolCallId: callId,
    title,
    kind: "execute",
    rawInput: { args, input, files, ...(env && { env }) },
  };
  try {
    const answer = fieldsOf(await ask("session/request_permission", { sessionId, toolCall, options: OPTIONS }, signal));
    const { outcome, optionId } = fieldsOf(answer.outcome);
    if (outcome === "selected" && (optionId === "once" || optionId === "always")) return optionId;
  } catch {
    return { deny: `The scripts of skill '${skill}' may not run: the editor did not answer the question.` };
  }
  return { deny: `The scripts of skill '${skill}' may not run: the user refused.` };
}

const OPTIONS = [
  { optionId: "once", name: "Run once", kind: "allow_once" },
  { optionId: "always", name: "Always in this session, for this version", kind: "allow_always" },
  { optionId: "deny", name: "Refuse", kind: "reject_once" },
];
