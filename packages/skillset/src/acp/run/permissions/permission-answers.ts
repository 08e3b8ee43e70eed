import type { RequestPermissionRequest, RequestPermissionResponse, ToolCallUpdate } from "@agentclientprotocol/sdk";
import type { ModelTool } from "../../../core/operations/model-tool.ts";
import { describeLevel } from "../../../core/script/describe-level.ts";
import type { ConsentAnswer, ConsentRequest } from "../../../core/script/script.ts";
import type { Session } from "../../../core/session.ts";
import { argumentNames, ownToolOf } from "../../bridge/own-tools.ts";
import { decide, isAllowed, type PermissionPolicy } from "../../options/permissions.ts";
import type { RunListener } from "../../options/run-listener.ts";
import { outsideRequest } from "./requested-calls.ts";
import type { SkillReads } from "./skill-reads.ts";

interface PermissionAnswersOptions extends Pick<RunListener, "emit"> {
  readonly permissions: PermissionPolicy | undefined;
  readonly skills: Session;
  /** The skills that the agent reads itself. */
  readonly reads: SkillReads | undefined;
  /** Returns our tools that the agent may call. */
  readonly tools: () => readonly ModelTool[];
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** Answers what the agent asks for during a run, and remembers what was denied. */
export class PermissionAnswers {
  readonly #options: PermissionAnswersOptions;
  readonly #denied = new Set<string>();
  #lastDenied = "";

  constructor(options: PermissionAnswersOptions) {
    this.#options = options;
  }

  /** The IDs of the calls that were denied. */
  get denied(): ReadonlySet<string> {
    return this.#denied;
  }

  /** The title of the last denied request; empty if there is none. */
  get lastDenied(): string {
    return this.#lastDenied;
  }

  /** Answers a request about a call, merged with what the agent has reported about it before. */
  async answer(request: RequestPermissionRequest, call: ToolCallUpdate): Promise<RequestPermissionResponse> {
    const { permissions = {}, skills, reads, tools, cwd, signal, emit } = this.#options;
    // A skill that the agent has just read may restrict what it asks for now.
    await reads?.recorded;
    const isOwn = ownToolOf(call, argumentNames(tools())) !== undefined || reads?.isLoading(call) === true;
    const reason = isOwn || reads?.isReading(call) ? undefined : outsideRequest(reads?.sessions ?? [skills], call, cwd);
    const given = { signal, isOwn, isOutside: reason !== undefined };
    const decision = await decide({ ...request, toolCall: call }, permissions, given);
    const { title, kind } = decision.request;
    const { allowed } = decision;
    if (!isOwn) emit({ type: "permission-decided", title, kind, allowed, ...(reason && { reason }) });
    if (!allowed) {
      this.#lastDenied = title;
      this.#denied.add(call.toolCallId);
    }
    return decision.response;
  }

  /** Decides about a script: it is a request like the agent's own commands. */
  readonly consent = async (asked: ConsentRequest): Promise<ConsentAnswer> => {
    const { permissions = {}, emit } = this.#options;
    const { skill, script, args, input, files, level, signal } = asked;
    const title = `Run ${script} of skill '${skill}' ${describeLevel(level)}`;
    const allowed = await isAllowed({ title, kind: "execute", input: { args, input, files }, signal }, permissions);
    emit({ type: "permission-decided", title, kind: "execute", allowed });
    return allowed ? "once" : { deny: `The scripts of skill '${skill}' may not run: the run's permissions deny it.` };
  };
}
