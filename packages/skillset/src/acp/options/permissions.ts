import type { PermissionOption, RequestPermissionRequest, RequestPermissionResponse } from "@agentclientprotocol/sdk";
import { SkillError } from "../../core/base/errors.ts";
import { untilAborted } from "../../core/base/until-aborted.ts";
import { checkOptions, type OptionTable } from "../../core/text/check-options.ts";
import { compileNameGlob } from "../../core/text/name-glob.ts";
import { reportedCommand } from "./reported-command.ts";
import { TOOL_KINDS } from "./tool-kinds.ts";

/**
 * What an agent may do when it asks for permission. `deny` takes precedence over `allow`, and `allow` over `ask`.
 * Requests that none of them decides are denied. The entries of `allow` and `deny` are tool kinds (`read`, `edit`,
 * `execute`, …) or title patterns. If the request contains the command itself, a pattern must match both.
 */
export interface PermissionPolicy {
  /**
   * The kinds and title patterns to allow.
   * @default []
   */
  readonly allow?: readonly string[];
  /**
   * The kinds and title patterns to deny.
   * @default []
   */
  readonly deny?: readonly string[];
  /** Decides the remaining requests; resolve to `true` to allow one. */
  readonly ask?: (request: PermissionRequest) => boolean | Promise<boolean>;
}

/**
 * A permission request from an agent. When you show it to a person, show all of it and make control characters visible.
 */
export interface PermissionRequest {
  /** The agent's description, of any length and with any characters. */
  readonly title: string;
  /** The kind of action: `read`, `edit`, `delete`, `move`, `search`, `execute`, `think`, `fetch`, `other`. */
  readonly kind: string;
  /** The tool's input, as reported by the agent. */
  readonly input: unknown;
  /** Aborted when the run ends. */
  readonly signal: AbortSignal;
}

export interface Decision {
  readonly request: Omit<PermissionRequest, "signal">;
  readonly allowed: boolean;
  readonly response: RequestPermissionResponse;
}

interface DecideOptions {
  readonly signal: AbortSignal;
  /** Whether this library provides the tool. */
  readonly isOwn: boolean;
  /** Whether an active skill does not allow the call. */
  readonly isOutside?: boolean;
}

/** Throws if a policy cannot be applied, so that the mistake surfaces where it was made. */
export function checkPolicy(policy: PermissionPolicy): void {
  if (policy === undefined) throw new SkillError("option-invalid", "'permissions' requires a policy; got undefined.");
  checkOptions("'permissions'", policy, OPTIONS);
  const { allow = [], deny = [], ask } = policy;
  if (!(Array.isArray(allow) && Array.isArray(deny)))
    throw new SkillError("option-invalid", "'allow' and 'deny' must be lists of kinds or patterns.");
  for (const entry of [...allow, ...deny]) compileNameGlob(entry);
  if (ask !== undefined && typeof ask !== "function")
    throw new SkillError("option-invalid", "'ask' must be a function that returns true or false.");
}

const OPTIONS: OptionTable<PermissionPolicy> = { allow: true, deny: true, ask: true };

/** Answers a permission request. Our own tools are always allowed. */
export async function decide(
  { toolCall, options }: RequestPermissionRequest,
  policy: PermissionPolicy,
  { signal, isOwn, isOutside }: DecideOptions,
): Promise<Decision> {
  const request = { title: toolCall.title ?? "", kind: toolCall.kind ?? "other", input: toolCall.rawInput };
  const allowed = isOwn || (!isOutside && (await isAllowed({ ...request, signal }, policy)));
  const option = signal.aborted ? undefined : allowed ? pickAllowing(options, isOwn) : pickRefusing(options);
  const response: RequestPermissionResponse =
    option === undefined
      ? { outcome: { outcome: "cancelled" } }
      : { outcome: { outcome: "selected", optionId: option.optionId } };
  return { request, allowed: allowed && option !== undefined, response };
}

/** Decides by the policy. Without an answer of `ask`, the request is denied. */
export async function isAllowed(request: PermissionRequest, { allow = [], deny = [], ask }: PermissionPolicy) {
  const command = reportedCommand(request.input);
  // A model may have written the title, and the input may be another command.
  const texts = [request.title, command].filter((text) => typeof text === "string");
  // A command may have the same name as a kind.
  const isKind = (entry: string): boolean => KINDS.has(entry) && entry === request.kind;
  const matcherOf = (entry: string) => (KINDS.has(entry) ? () => false : compileNameGlob(entry));
  if (deny.some((entry) => isKind(entry) || texts.some(matcherOf(entry)))) return false;
  // `git *` must not match commands that a shell would run after git. An agent may report a command under any kind.
  const isPlain = command !== null && !texts.some((text) => NOT_PLAIN.test(text));
  const isCovered = (entry: string): boolean => entry === "*" || (isPlain && texts.every(matcherOf(entry)));
  if (allow.some((entry) => isKind(entry) || isCovered(entry))) return true;
  try {
    // The person who is asked may never answer.
    return ask !== undefined && (await untilAborted(request.signal, Promise.resolve(ask(request)))) === true;
  } catch {
    return false;
  }
}

/** Shell operators, and invisible characters. */
const NOT_PLAIN = /[;&|<>$`(){}\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

const KINDS: ReadonlySet<string> = new Set(TOOL_KINDS);

/** Prefers `allow_once`: permanent permission exceeds what was asked. Only our own tools may be allowed permanently. */
function pickAllowing(options: readonly PermissionOption[], isOwn: boolean): PermissionOption | undefined {
  const once = options.find(({ kind }) => kind === "allow_once");
  return once ?? (isOwn ? options.find(({ kind }) => kind === "allow_always") : undefined);
}

function pickRefusing(options: readonly PermissionOption[]): PermissionOption | undefined {
  return options.find(({ kind }) => kind === "reject_once") ?? options.find(({ kind }) => kind === "reject_always");
}
