import type { LedgerEntry, Session } from "skillset";
import type { SkillRegistry } from "../skills/loaded-skills.ts";
import type { AnswerWriter } from "./chat-turn.ts";
import { writeActivation } from "./invocation.ts";

/** A skill whose instructions a trigger added to the request. */
export type TriggeredSkill = Extract<LedgerEntry, { readonly type: "skill-triggered" }>;

/** Does the work, and returns its result with the skills that triggers opened meanwhile. */
export async function collectTriggered<Result>(
  session: Session,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly triggered: readonly TriggeredSkill[] }> {
  const triggered: TriggeredSkill[] = [];
  const stop = session.ledger.on("skill-triggered", (entry) => {
    if (entry.mode === "activate") triggered.push(entry);
  });
  try {
    return { result: await work(), triggered };
  } finally {
    stop();
  }
}

interface ShowTriggeredOptions {
  readonly hasTools: boolean;
  readonly session: Session;
  readonly registry: SkillRegistry;
  readonly writer: AnswerWriter;
}

/** Shows skills that the message triggered, like skills that it invokes, with what matched. */
export async function showTriggered(
  triggered: readonly TriggeredSkill[],
  { hasTools, session, registry, writer }: ShowTriggeredOptions,
): Promise<void> {
  if (triggered.length === 0) return;
  if (!hasTools) {
    const messageMetadata = {
      fallback: triggered.map(({ skill }) => skill).join(", "),
      triggered: triggered.map(matchOf),
    };
    writer.write({ type: "message-metadata", messageMetadata });
    return;
  }
  // A skill whose activation failed is not active, and the answer continues without it.
  for (const match of triggered.filter(({ skill }) => session.active.includes(skill))) {
    const preview = await registry.preview(match.skill).catch(() => undefined);
    if (preview === undefined) continue;
    const { text, skill: _skill, read: _read, readFile: _readFile, ...data } = preview;
    const output = { isError: false, text, data: { ...data, alreadyActive: false } } as const;
    writeActivation(writer, match.skill, output, matchOf(match));
  }
}

function matchOf({ kind, trigger }: TriggeredSkill) {
  return { kind, trigger };
}
