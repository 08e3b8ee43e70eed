import type { LedgerEntry, Session } from "skillset";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import type { UsageStore } from "./usage-store.ts";

export interface SessionObserverOptions {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly usage: Pick<UsageStore, "count">;
  readonly onActivated: () => void;
  readonly onEntry: (entry: LedgerEntry) => void;
}

/** Counts and logs the events of a session during an answer: names and sizes, never texts. */
export class SessionObserver {
  readonly #options: SessionObserverOptions;
  #stop: () => void = () => {};
  #settled = Promise.resolve();

  constructor(options: SessionObserverOptions) {
    this.#options = options;
  }

  /** `before` contains earlier events. */
  begin(session: Session, before: readonly LedgerEntry[]): void {
    for (const entry of before) this.#observe(session, entry);
    this.#stop = session.ledger.on("*", (entry) => this.#observe(session, entry));
  }

  /** Resolves when everything is counted. */
  async end(): Promise<void> {
    this.#stop();
    await this.#settled;
  }

  #observe({ id: chat, skillset }: Session, entry: LedgerEntry): void {
    const { log, metrics, usage, onActivated, onEntry } = this.#options;
    onEntry(entry);
    if (entry.type === "skill-activated") {
      const { skill, by, at, bytes, truncated, repeated } = entry;
      const allowedTools = skillset.get(skill)?.allowedTools ?? [];
      log.info("skill-activated", { chat, skill, by, bytes, truncated, repeated, allowedTools });
      onActivated();
      if (repeated) return;
      metrics.count("chat_skill_activations_total", { by });
      this.#settled = this.#settled.then(() => usage.count(skill, chat, at));
    } else if (entry.type === "content-truncated") {
      const { skill, path, bytes, limit } = entry;
      if (isNews(log, `${skill}\0${path}`)) log.warn("content-truncated", { skill, path, bytes, limit });
      metrics.count("chat_truncations_total");
    } else if (entry.type === "file-read") {
      log.info("file-read", { chat, skill: entry.skill, path: entry.path, bytes: entry.bytes });
    } else if (entry.type === "script-consent") {
      const { skill, digest, answer } = entry;
      log.info("script-consent", { chat, skill, digest, answer });
    } else if (entry.type === "script-run") {
      const { skill, script, level, outcome, exitCode, milliseconds } = entry;
      log.info("script-run", { chat, skill, script, sandbox: level, outcome, exitCode, milliseconds });
      metrics.count("chat_script_runs_total", { outcome });
    } else if (entry.type === "tool-denied" || entry.type === "tool-outside") {
      const { skill, tool, token, field } = entry;
      log.warn(entry.type, { chat, skill, tool, token, field });
    } else if (entry.type === "skill-triggered") {
      const { skill, kind, trigger, mode } = entry;
      log.info("skill-triggered", { chat, skill, kind, trigger, mode });
    } else if (entry.type === "skills-suggested") {
      log.info("skills-suggested", { chat, skills: entry.skills, tokens: entry.tokens });
    } else if (entry.type === "suggestion-failed") {
      log.warn("suggestion-failed", { chat, code: entry.code });
    } else if (entry.type === "skills-searched") {
      const { words, skills } = entry;
      log.info("skills-searched", { chat, words, skills: skills.length });
    } else if (entry.type === "operation-failed") {
      const { operation, skill, code } = entry;
      log.warn("operation-failed", { chat, operation, skill: skill?.slice(0, 80), code });
    } else if (entry.type === "skill-changed" || entry.type === "skill-missing") {
      log.info(entry.type, { chat, skill: entry.skill });
    }
  }
}

/** Whether a log does not have this yet: a skill that is too long is too long in every chat. */
function isNews(log: Log, what: string): boolean {
  const told = TOLD.get(log) ?? new Set();
  TOLD.set(log, told);
  return told.size < told.add(what).size;
}

const TOLD = new WeakMap<Log, Set<string>>();
