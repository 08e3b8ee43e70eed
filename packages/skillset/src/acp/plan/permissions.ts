import type { PermissionOption, RequestPermissionRequest, RequestPermissionResponse } from "@agentclientprotocol/sdk";
import { SkillError } from "../../core/base/errors.ts";
import { untilAborted } from "../../core/base/until-aborted.ts";
import { compileNameGlob } from "../../core/text/name-glob.ts";
import { TOOL_KINDS } from "./tool-kinds.ts";

/**
 * What an agent may do when it asks. `deny` comes before `allow`, `allow` before `ask`; what none of them decides is
 * refused. The entries of `allow` and `deny` are kinds of tools (`read`, `edit`, `execute`, …) or patterns for titles.
 */
export interface PermissionPolicy {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly ask?: (request: PermissionRequest) => boolean | Promise<boolean>;
}

/** One thing that an agent wants to do. Whoever shows it to a person shows all of it, with its control characters visible. */
export interface PermissionRequest {
  /** The agent's words for it, of any length, with any characters. */
  readonly title: string;
  /** What sort of thing: `read`, `edit`, `delete`, `move`, `search`, `execute`, `think`, `fetch`, `other`. */
  readonly kind: string;
  readonly input: unknown;
  readonly signal: AbortSignal;
}

export interface Decision {
  readonly request: Omit<PermissionRequest, "signal">;
  readonly allowed: boolean;
  readonly response: RequestPermissionResponse;
}

/** Throws for a policy that could not be applied, so that the mistake shows where it was made. */
export function checkPolicy({ allow = [], deny = [], ask }: PermissionPolicy): void {
  if (!(Array.isArray(allow) && Array.isArray(deny)))
    throw new SkillError("option-invalid", "'allow' and 'deny' must be lists of kinds or patterns.");
  for (const entry of [...allow, ...deny]) compileNameGlob(entry);
  if (ask !== undefined && typeof ask !== "function")
    throw new SkillError("option-invalid", "'ask' must be a function that gives true or false.");
}

/** Answers an agent that asks; a tool of our own is allowed without asking anybody. */
export async function decide(
  { toolCall, options }: RequestPermissionRequest,
  policy: PermissionPolicy,
  { signal, isOwn }: { readonly signal: AbortSignal; readonly isOwn: boolean },
): Promise<Decision> {
  const request = { title: toolCall.title ?? "", kind: toolCall.kind ?? "other", input: toolCall.rawInput };
  const allowed = isOwn || (await isAllowed({ ...request, signal }, policy));
  const option = signal.aborted ? undefined : allowed ? pickAllowing(options, isOwn) : pickRefusing(options);
  const response: RequestPermissionResponse =
    option === undefined
      ? { outcome: { outcome: "cancelled" } }
      : { outcome: { outcome: "selected", optionId: option.optionId } };
  return { request, allowed: allowed && option !== undefined, response };
}

async function isAllowed(request: PermissionRequest, { allow = [], deny = [], ask }: PermissionPolicy) {
  // A command may well be called like a kind.
  const matches = (entry: string): boolean =>
    KINDS.has(entry) ? entry === request.kind : compileNameGlob(entry)(request.title);
  if (deny.some(matches)) return false;
  // `git *` is meant for git alone, not for what a shell would do after it. An agent may call a command any kind.
  const isPlain = !NOT_PLAIN.test(request.title);
  if (allow.some((entry) => (isPlain || KINDS.has(entry) || entry === "*") && matches(entry))) return true;
  try {
    // Somebody who is asked may never answer.
    return ask !== undefined && (await untilAborted(request.signal, Promise.resolve(ask(request)))) === true;
  } catch {
    return false;
  }
}

/** What joins commands in a shell, and characters that do not show. */
const NOT_PLAIN = /[;&|<>$`(){}\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

const KINDS: ReadonlySet<string> = new Set(TOOL_KINDS);

/** Once, not for good: for good is more than anybody was asked; only our own tools may be allowed so. */
function pickAllowing(options: readonly PermissionOption[], isOwn: boolean): PermissionOption | undefined {
  const once = options.find(({ kind }) => kind === "allow_once");
  return once ?? (isOwn ? options.find(({ kind }) => kind === "allow_always") : undefined);
}

function pickRefusing(options: readonly PermissionOption[]): PermissionOption | undefined {
  return options.find(({ kind }) => kind === "reject_once") ?? options.find(({ kind }) => kind === "reject_always");
}
