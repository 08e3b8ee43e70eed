import type { Attributes, Meter } from "@opentelemetry/api";
import type { LedgerEntry } from "../core/session/ledger.ts";
import type { FollowedOperation } from "../core/session/telemetry.ts";

/** What is counted and measured. Attributes have only names that the skillset has, and words of our own. */
export interface Instruments {
  /** An operation is over; `error` says what it failed with. */
  ended(operation: FollowedOperation, seconds: number, error?: string): void;
  recorded(entry: LedgerEntry): void;
}

export function createInstruments(meter: Meter): Instruments {
  const counter = (name: string, description: string) => meter.createCounter(name, { description });
  const tokens = (name: string, description: string) =>
    meter.createHistogram(name, {
      description,
      unit: "{token}",
      advice: { explicitBucketBoundaries: TOKEN_BUCKETS },
    });
  const counters: Partial<Record<string, ReturnType<typeof counter>>> = {
    activate: counter("skillset.activations", "Activations of skills"),
    read: counter("skillset.reads", "Files of skills that were read"),
    call: counter("skillset.calls", "Calls of skills' tools"),
  };
  const errors = counter("skillset.errors", "Operations that failed");
  const activationTokens = tokens("skillset.activation.tokens", "What one activation takes of the context");
  const catalogTokens = tokens("skillset.catalog.tokens", "What one catalog takes of the context");
  const duration = meter.createHistogram("skillset.operation.duration", {
    description: "How long an operation takes",
    unit: "s",
    advice: { explicitBucketBoundaries: SECOND_BUCKETS },
  });

  return {
    ended({ operation, skill }, seconds, error) {
      const about = skillAttributes(skill);
      const outcome = error === undefined ? "succeeded" : "failed";
      counters[operation]?.add(1, { ...about, "skillset.outcome": outcome });
      duration.record(seconds, { ...about, "skillset.operation": operation, "skillset.outcome": outcome });
      if (error !== undefined) errors.add(1, { ...about, "skillset.operation": operation, "error.type": error });
    },
    recorded(entry) {
      if (entry.type === "skills-offered") catalogTokens.record(entry.tokens);
      if (entry.type === "skill-activated") activationTokens.record(entry.tokens, skillAttributes(entry.skill));
    },
  };
}

/** A skill by its name, if there is one: a name that a model made up may be anything, and there is no end of them. */
export function skillAttributes(skill: string | undefined): Attributes {
  return skill === undefined ? { "skillset.skill.unknown": true } : { "skillset.skill.name": skill };
}

/** Most instructions take one to ten thousand tokens. */
const TOKEN_BUCKETS = [50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000];
/** From a file that is read at once to a tool that takes two minutes. */
const SECOND_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 120];
