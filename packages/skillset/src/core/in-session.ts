import type { JudgedCall, RuledSkill } from "./allowed-tools/decide-call.ts";
import type { ToolNames } from "./allowed-tools/judged-call.ts";
import type { CatalogOptions, CatalogSkill, RenderOptions } from "./catalog/catalog.ts";
import { conversationOf } from "./conversation-of.ts";
import { activateRead, type ReadInstructions } from "./operations/activate-read.ts";
import {
  bindOperation,
  bindOperations,
  type NamedOperations,
  namedOperations,
  type OperationOptions,
  type OperationSetting,
} from "./operations/bind-operations.ts";
import type { OperationTool } from "./operations/model-tool.ts";
import type { OperationUse } from "./operations/operation.ts";
import type { OperationId } from "./operations/operation-data.ts";
import { readAgain } from "./operations/read-skill-file.ts";
import type { Activation } from "./session/activation.ts";
import { checkCall, mayRestrictHost, requireHostCall, type ToolDecision } from "./session/check-call.ts";
import type { DiscloseUse } from "./session/conversation.ts";
import type { Listing } from "./session/omits-names.ts";
import { renderSessionCatalog, type SessionCatalog, skillsOffered } from "./session/session-catalog.ts";
import { snapshotOf } from "./session/snapshot.ts";
import type { Session } from "./session.ts";
import type { Skill } from "./skill/skill.ts";
import type { ResultFile } from "./tool/result-file.ts";
import { showCatalog } from "./turn/turn.ts";

// What adapters, agents, servers and prompts do in a session beyond its public members. They hold sessions only.

/** Returns the operations of a session. Empty for an empty skillset. */
export function createOperations(session: Session, options: OperationOptions = {}): readonly OperationTool[] {
  return operationsIn(session, options);
}

/** The same, for a use that the caller describes. */
export function operationsIn(
  session: Session,
  options: OperationOptions,
  setting?: OperationSetting,
): readonly OperationTool[] {
  return bindOperations(conversationOf(session), options, setting);
}

/** Returns one operation under its own name, for skills with these names. `open` returns the session of a call. */
export function operationIn<Id extends OperationId>(
  id: Id,
  names: readonly string[],
  open: () => Promise<Session>,
  use: () => OperationUse,
): OperationTool<Id> {
  return bindOperation(id, names, async () => conversationOf(await open()), use);
}

/** Returns the operations by the names that the model sees, for the rules below the catalog. */
export function namedOperationsIn(session: Session, options: OperationOptions, listing?: Listing): NamedOperations {
  return namedOperations(conversationOf(session), options, listing);
}

/** Returns a skill's instructions as the model receives them, without activating the skill. */
export function discloseIn(session: Session, skill: Skill, use: DiscloseUse): Promise<Activation> {
  return conversationOf(session).disclose(skill, use);
}

/** Shows the model the catalog, if no turn has done that. */
export function showCatalogIn(session: Session, catalog: CatalogOptions, operations: OperationOptions): void {
  showCatalog(conversationOf(session), catalog, operations);
}

/** Renders a catalog for a place other than a turn. */
export function catalogIn(session: Session, skills: Iterable<CatalogSkill>, options: RenderOptions): SessionCatalog {
  return renderSessionCatalog(snapshotOf(conversationOf(session)), skills, options);
}

/** Records which of the skills with these names such a catalog lists. */
export function recordCatalogIn(session: Session, shown: SessionCatalog, names: readonly string[]): void {
  const conversation = conversationOf(session);
  for (const event of skillsOffered(shown, names)) conversation.record(event);
}

/**
 * Records that the model has read a skill's instructions without the session, as an agent with file access does. The
 * skill becomes active. Its tokens count towards the session's budget, but the budget is not enforced here.
 */
export function recordActivation(session: Session, read: ReadInstructions): Promise<void> {
  return activateRead(conversationOf(session), read);
}

/** Applies a skill's rules while a skill with its name is active. */
export function noteRulesIn(session: Session, skill: RuledSkill): void {
  conversationOf(session).noteRules(skill);
}

/**
 * Returns a file of an earlier result with its bytes. A result that was stored as JSON has none, so the file is read
 * again; undefined if it has changed or no longer exists, or without a session.
 */
export async function readResultFile(session: Session | undefined, file: ResultFile): Promise<ResultFile | undefined> {
  // A result that was stored as JSON has no bytes.
  if (file.data !== undefined) return file;
  return session && readAgain(conversationOf(session), file);
}

/** Whether the session might restrict the host's tools. If not, they need not be wrapped. */
export function mayRestrict(session: Session): boolean {
  return mayRestrictHost(conversationOf(session));
}

/** Throws if the active skills do not allow a call of one of the host's tools. The message is for the model. */
export function requireTool(session: Session, tool: string, input: unknown): void {
  requireHostCall(conversationOf(session), tool, input);
}

/** Decides a call that the caller has read itself. */
export function checkCallIn(session: Session, call: JudgedCall, cwd: string): ToolDecision {
  return checkCall(conversationOf(session), call, cwd);
}

/** Returns the host's names for tools, by the names that authors of skills write. */
export function toolNamesIn(session: Session): ToolNames | undefined {
  return conversationOf(session).toolRules.toolNames;
}
