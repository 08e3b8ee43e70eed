import { SkillError } from "../core/base/errors.ts";
import { checkSession } from "../core/conversation-of.ts";
import type { Session } from "../core/session.ts";
import { checkOptions, type OptionTable } from "../core/text/check-options.ts";
import { checkKind, describeValue } from "../core/text/describe-value.ts";
import { checkMessages } from "../core/turn/check-messages.ts";
import { checkRequestTools, type RequestTools } from "./check-request-tools.ts";
import type { RunOptions } from "./model-loop.ts";

/** Options of adapters that are not part of any SDK's request. `tools` and `stopWhen` may be. */
const OPTIONS: OptionTable<
  Omit<RunOptions, "tools" | "stopWhen"> & Record<"client" | "request" | "cache" | "onEvent", unknown>
> = {
  client: true,
  session: true,
  request: true,
  catalog: true,
  operations: true,
  mode: true,
  inject: true,
  suggest: true,
  maxSteps: true,
  files: true,
  compact: true,
  cache: true,
  signal: true,
  onEvent: true,
};

/** What else to check in a call of an adapter. */
export interface CallChecks {
  /** The adapter's options: a table with one entry for each. Other options are refused. */
  readonly options?: object;
  /** The fields of `request`, if the adapter passes no others on: a table like that of the options. */
  readonly fields?: object;
  /** The field of `request` with the conversation. */
  readonly conversation?: string;
  /** The field of `request` with an earlier conversation, if it has one. */
  readonly earlier?: string;
  /** How `request` takes tools. */
  readonly tools?: RequestTools;
  /** What to do about fields of `request` that the SDK would reject, ignore or prefer to ours. */
  readonly refused?: Readonly<Record<string, string>>;
}

/**
 * Checks a call of an adapter, `name({ session, request, … })`. Throws if one of the `required` parts is missing, for an
 * unknown option, and if `request` contains what an API would reject or ignore, such as an option of the adapter.
 */
export function checkCall<Part extends string>(
  name: string,
  call: Readonly<Record<Part, unknown>>,
  required: readonly Part[],
  { options, fields, conversation, earlier, tools, refused = {} }: CallChecks = {},
): void {
  const missing = required.find((part) => call?.[part] === undefined || call[part] === null);
  if (missing !== undefined) {
    const shape = `${name}({ ${required.join(", ")} })`;
    throw invalid(`${name}() takes one object, ${shape}: '${missing}' is missing.`);
  }
  if (options !== undefined) checkOptions(`${name}()`, call, options);
  const { request, session, skills, files } = call as Readonly<Record<string, unknown>>;
  const isNeeded = (part: string): boolean => (required as readonly string[]).includes(part);
  if (isNeeded("session")) checkKind(`The 'session' of ${name}()`, "session", session);
  if (isNeeded("session")) checkSession(session as Session);
  if (isNeeded("skills")) checkKind(`The 'skills' of ${name}()`, "skillset", skills);
  if (files !== undefined && typeof files !== "boolean" && typeof files !== "function")
    throw invalid(`'files' of ${name}() must be true or false, not ${describeValue(files)}.`);
  if (request === undefined) return;
  if (typeof request !== "object" || request === null || "then" in request)
    throw invalid(`The 'request' of ${name}() must be an object, not ${describeValue(request)}.`);
  const misplaced = Object.keys(OPTIONS).find((option) => option in request);
  if (misplaced !== undefined)
    throw invalid(`'${misplaced}' is an option of ${name}(), not of the request: move it out of 'request'.`);
  const foreign = Object.keys(refused).find((field) => (request as Record<string, unknown>)[field] !== undefined);
  if (foreign !== undefined) throw invalid(`The 'request' of ${name}() has no '${foreign}'. ${refused[foreign]}`);
  if (fields !== undefined) checkOptions(`The 'request' of ${name}()`, request, fields);
  const given = request as Readonly<Record<string, unknown>>;
  if (tools !== undefined) checkRequestTools(name, given.tools, tools);
  const field = conversation ?? earlier;
  if (field === undefined || (given[field] === undefined && conversation === undefined)) return;
  if (field === "input" && typeof given[field] === "string") return;
  checkMessages(`'request.${field}' of ${name}()`, given[field]);
}

function invalid(message: string): SkillError {
  return new SkillError("option-invalid", message);
}
