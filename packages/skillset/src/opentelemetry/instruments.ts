import type { Attributes, Meter } from "@opentelemetry/api";
import type { LedgerEntry } from "../core/session/ledger.ts";
import type { FollowedOperation } from "../core/session/telemetry.ts";

/** Counters and histograms. Attributes contain only names from the skillset and constants of this library. */
export interface Instruments {
  /** Records the end of an operation; `error` is its error code if it failed. */
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
    activate: counter("skillset.activations", "Skill activations"),
    read: counter("skillset.reads", "Skill files read"),
    call: counter("skillset.calls", "Skill tool calls"),
    run: counter("skillset.runs", "Skill script runs"),
    search: counter("skillset.searches", "Searches for skills"),
  };
  const errors = counter("skillset.errors", "Failed operations");
  const activationTokens = tokens("skillset.activation.tokens", "Context tokens per activation");
  const catalogTokens = tokens("skillset.catalog.tokens", "Context tokens per catalog");
  const suggestionTokens = tokens("skillset.suggestion.tokens", "Context tokens per list of suggestions");
  const duration = meter.createHistogram("skillset.operation.duration", {
    description: "Duration of an operation",
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
      if (entry.type === "skills-suggested") suggestionTokens.record(entry.tokens);
      if (entry.type === "skill-activated") activationTokens.record(entry.tokens, skillAttributes(entry.skill));
    },
  };
}

/** Names a skill only if it exists: a model can make up any number of names. */
export function skillAttributes(skill: string | null | undefined): Attributes {
  if (skill === null) return {};
  return skill === undefined ? { "skillset.skill.unknown": true } : { "skillset.skill.name": skill };
}

/** Most instructions have one to ten thousand tokens. */
const TOKEN_BUCKETS = [50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000];
/** From a read of a small file to a tool that takes two minutes. */
const SECOND_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 120];
