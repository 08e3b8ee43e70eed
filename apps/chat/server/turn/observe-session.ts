import type { LedgerEntry, Session } from "skillset";
import type { Services } from "../services.ts";

/** Counts and logs what happens in a session, and has happened: names and sizes, never texts. */
export function observeSession(
  session: Session,
  { log, metrics, usage }: Services,
): { readonly settled: Promise<void> } {
  const chat = session.id;
  let settled = Promise.resolve();
  const observe = (entry: LedgerEntry): void => {
    if (entry.type === "skill-activated") {
      const { skill, by, at, bytes, truncated, repeated } = entry;
      const allowedTools = session.skillset.get(skill)?.allowedTools ?? [];
      log.info("skill-activated", { chat, skill, by, bytes, truncated, repeated, allowedTools });
      if (repeated) return;
      metrics.count("chat_skill_activations_total", { by });
      settled = settled.then(() => usage.count(skill, chat, at));
    } else if (entry.type === "content-truncated") {
      const { skill, path, bytes, limit } = entry;
      log.warn("content-truncated", { skill, path, bytes, limit });
      metrics.count("chat_truncations_total");
    } else if (entry.type === "file-read") {
      log.info("file-read", { chat, skill: entry.skill, path: entry.path, bytes: entry.bytes });
    } else if (entry.type === "operation-failed") {
      const { operation, skill, code } = entry;
      log.warn("operation-failed", { chat, operation, skill: skill.slice(0, 80), code });
    } else if (entry.type === "skill-changed" || entry.type === "skill-missing") {
      log.info(entry.type, { chat, skill: entry.skill });
    }
  };
  for (const entry of session.ledger) observe(entry);
  for (const type of OBSERVED) session.on(type, observe);
  return {
    get settled() {
      return settled;
    },
  };
}

const OBSERVED = [
  "skill-activated",
  "content-truncated",
  "file-read",
  "skill-changed",
  "skill-missing",
  "operation-failed",
] as const;
