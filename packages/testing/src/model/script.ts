import { SkillError } from "skillset";
import { describeValue } from "skillset/adapter";
import { isObject } from "../wire/json.ts";
import type { ReceivedRequest } from "../wire/model-request.ts";

/** One call of a tool. */
export interface ToolCall {
  /** The tool's name, or the end of it: agents add their own prefix to the names of MCP tools. */
  readonly call: string;
  /** A string is for the freeform tools of the OpenAI Responses API. */
  readonly input?: Readonly<Record<string, unknown>> | string;
  /**
   * Whether to make the call even if the request does not offer the tool, with exactly this name, as models sometimes do.
   * @default false
   */
  readonly unlisted?: boolean;
}

/** The model's answer to one request. */
export type ScriptReply =
  | (ToolCall & { readonly say?: string })
  | { readonly calls: readonly ToolCall[]; readonly say?: string }
  /** With `finish`, the answer is cut off, or the provider blocks it. */
  | { readonly say: string; readonly finish?: EarlyFinish }
  /** An HTTP error in the API's own shape. */
  | { readonly fail: { readonly status: number; readonly message: string } }
  /** No answer until the client disconnects or the model is closed. */
  | { readonly hang: true }
  /** This text, with status 200, instead of an answer. */
  | { readonly garbage: string };

/** Why an answer ends early. */
export type EarlyFinish = "length" | "refused";

/** A reply, or a function that receives the request and returns one. */
export type ScriptStep = ScriptReply | ((request: ReceivedRequest) => ScriptReply | Promise<ScriptReply>);

export type FaultCode = "tool-not-offered" | "tool-ambiguous" | "step-invalid" | "request-invalid";

/** A deviation from the script. */
export interface ScriptFault {
  readonly code: FaultCode;
  readonly message: string;
  /** The step's index; absent if the request could not be read. */
  readonly step?: number;
}

/** Throws if the script is invalid, so that the error points to the test that wrote it. */
export function checkScript(script: readonly ScriptStep[]): void {
  if (!Array.isArray(script))
    throw new SkillError("option-invalid", `A script is an array of steps, not ${describeValue(script)}.`);
  for (const [index, step] of script.entries()) {
    if (typeof step !== "function" && !isReply(step)) {
      throw new SkillError("option-invalid", `Step ${index} of the script ${REPLY_RULE}`);
    }
  }
}

/** Returns the step's reply. Throws a readable error if its function throws or returns no reply. */
export async function resolveStep(step: ScriptStep, index: number, request: ReceivedRequest): Promise<ScriptReply> {
  if (typeof step !== "function") return step;
  let reply: unknown;
  try {
    reply = await step(request);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Step ${index} of the script threw: ${reason}`, { cause: error });
  }
  if (!isReply(reply)) throw new Error(`Step ${index} of the script ${REPLY_RULE}`);
  return reply;
}

/** Returns whether the reply adds nothing to the conversation, so that later requests do not show that it was played. */
export function leavesNoTrace(step: ScriptStep): boolean {
  return typeof step !== "function" && ("fail" in step || "hang" in step || "garbage" in step);
}

const REPLY_RULE = "must have one of: call, calls, say, fail { status, message }, hang: true, garbage.";

function isReply(value: unknown): value is ScriptReply {
  if (!isObject(value)) return false;
  if (value.say !== undefined && typeof value.say !== "string") return false;
  const kinds = ["call", "calls", "fail", "hang", "garbage"].filter((kind) => value[kind] !== undefined);
  if (kinds.length > 1) return false;
  switch (kinds[0]) {
    case undefined:
      return value.say !== undefined && [undefined, "length", "refused"].includes(value.finish as undefined);
    case "call":
      return isCall(value);
    case "calls":
      return Array.isArray(value.calls) && value.calls.length > 0 && value.calls.every(isCall);
    case "fail":
      return isFailure(value.fail);
    case "hang":
      return value.hang === true;
    default:
      return typeof value.garbage === "string";
  }
}

function isCall(value: unknown): boolean {
  if (!isObject(value) || typeof value.call !== "string" || value.call === "") return false;
  return value.input === undefined || typeof value.input === "string" || isObject(value.input);
}

function isFailure(value: unknown): boolean {
  if (!isObject(value) || typeof value.message !== "string") return false;
  return Number.isInteger(value.status) && Number(value.status) >= 400 && Number(value.status) <= 599;
}
