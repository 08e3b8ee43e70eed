import { expect, test } from "vitest";
import type { ContextPart, StepEvent } from "../../../shared/steps-api.ts";
import { describeEvent } from "./describe-event.ts";

type EventOf<Type, Event = StepEvent> = Event extends { readonly type: infer Own }
  ? Type extends Own
    ? Event
    : never
  : never;
type Row<Type extends StepEvent["type"]> = readonly [
  event: Omit<EventOf<Type>, "type" | "at">,
  tone: "plain" | "skill" | "warning",
  /** The sentence, and its details after "|". */
  words: string,
];

const parts: readonly ContextPart[] = [{ kind: "file", skill: "tea", path: "chart.md", count: 1, tokens: 21 }];
const activated = { skill: "tea", by: "model", digest: "sha256:0", bytes: 9, tokens: 1873, truncated: false } as const;
const file = { skill: "tea", mediaType: "text/markdown", bytes: 2048, truncated: false } as const;
const called = { skill: "tea", tool: "boil", milliseconds: 120 } as const;
const ran = { skill: "tea", script: "scripts/brew.sh", level: "bubblewrap", milliseconds: 1400 } as const;
const outside = { skill: "tea", tool: "Bash", token: "Bash(rm:*)" } as const;
const packages = { skill: "tea", level: "bubblewrap", packages: 2, milliseconds: 3000 } as const;
const attached = { name: "sales.csv", bytes: 40_960 } as const;

/** Has every type of event: it does not compile without one. */
const ROWS: { readonly [Type in StepEvent["type"]]: readonly Row<Type>[] } = {
  "skills-offered": [
    [
      { skills: ["a"], tokens: 40, counts: { full: 1, shortened: 0, nameOnly: 0, omitted: 0 } },
      "plain",
      "Listed 1 skill | 40 tokens",
    ],
    [
      {
        // A record has the first names only.
        skills: ["a"],
        tokens: 7990,
        counts: { full: 22, shortened: 40, nameOnly: 100, omitted: 4838 },
        budget: { tokens: 8000 },
      },
      "plain",
      "Listed 162 of 5,000 skills | 7,990 tokens · 40 shortened · 100 by name only · the rest by search · to fit 8,000 tokens",
    ],
    [
      {
        skills: ["a", "b"],
        tokens: 90,
        counts: { full: 1, shortened: 1, nameOnly: 0, omitted: 0 },
        budget: { characters: 400 },
      },
      "plain",
      "Listed 2 skills | 90 tokens · 1 shortened · to fit 400 characters",
    ],
  ],
  "skills-suggested": [[{ skills: ["tea", "cake"], tokens: 1 }, "plain", "Suggested tea, cake | 1 token"]],
  "suggestion-failed": [[{ code: "unexpected" }, "warning", "Could not suggest skills | unexpected"]],
  "skills-searched": [[{ words: 2, skills: ["tea"] }, "plain", "Searched the skills | 1 result"]],
  "skill-triggered": [
    [
      { skill: "tea", kind: "keyword", trigger: "matcha", mode: "activate" },
      "plain",
      "The message matches the keyword 'matcha' of tea",
    ],
  ],
  "skill-activated": [
    [{ ...activated, repeated: false }, "skill", "Loaded tea | 1,873 tokens"],
    [{ ...activated, by: "user", repeated: false }, "skill", "Loaded tea | 1,873 tokens · by you"],
    [
      { ...activated, by: "trigger", truncated: true, repeated: false },
      "skill",
      "Loaded tea | 1,873 tokens · by a trigger · shortened",
    ],
    [{ ...activated, repeated: true }, "plain", "tea was already loaded"],
  ],
  "skill-deactivated": [[{ skill: "tea" }, "plain", "Unloaded tea"]],
  "skill-changed": [[{ skill: "tea", digest: "sha256:0" }, "warning", "tea has changed since it was loaded"]],
  "skill-missing": [[{ skill: "tea" }, "warning", "tea is no longer available"]],
  "file-read": [
    [{ ...file, path: "chart.md" }, "skill", "Read chart.md | 21 tokens · tea"],
    [{ ...file, path: "other.md", truncated: true }, "skill", "Read other.md | 2.0 KB · tea · shortened"],
  ],
  "content-truncated": [
    [
      { skill: "tea", path: "chart.md", bytes: 9000, limit: 2048 },
      "warning",
      "Shortened chart.md of tea | limit 2.0 KB",
    ],
  ],
  "tool-called": [
    [{ ...called, outcome: "succeeded" }, "plain", "Called boil | 120 ms · tea"],
    [{ ...called, outcome: "failed" }, "warning", "Called boil | 120 ms · tea · failed"],
  ],
  "toolset-failed": [
    [
      { skill: "tea", toolset: "index:Kettle", file: undefined, reason: "" },
      "warning",
      "Could not load the tools 'index:Kettle' of tea",
    ],
  ],
  "script-consent": [
    [{ skill: "tea", digest: "sha256:0", answer: "deny" }, "warning", "Denied | scripts of tea"],
    [{ skill: "tea", digest: "sha256:0", answer: "once" }, "plain", "Allowed once | scripts of tea"],
    [{ skill: "tea", digest: "sha256:0", answer: "always" }, "plain", "Allowed always | scripts of tea"],
  ],
  "script-run": [
    [{ ...ran, outcome: "exited", exitCode: 0 }, "plain", "Ran scripts/brew.sh in bubblewrap | exit 0 · 1.4 s · tea"],
    [
      { ...ran, level: "subprocess", outcome: "exited", exitCode: 3 },
      "warning",
      "Ran scripts/brew.sh without a sandbox | exit 3 · 1.4 s · tea",
    ],
    [
      { ...ran, outcome: "timed-out", exitCode: undefined },
      "warning",
      "Ran scripts/brew.sh in bubblewrap | timed out · 1.4 s · tea",
    ],
    [{ ...ran, outcome: "refused", exitCode: undefined }, "warning", "Did not run scripts/brew.sh | refused · tea"],
  ],
  "packages-prepared": [
    [{ ...packages, outcome: "installed" }, "plain", "Installed 2 packages of tea | 3.0 s"],
    [{ ...packages, outcome: "unchanged" }, "plain", "Already installed: 2 packages of tea"],
    [{ ...packages, packages: 0, outcome: "nothing-declared" }, "plain", "tea needs no packages"],
    [{ ...packages, outcome: "refused" }, "warning", "Could not install 2 packages of tea | refused"],
  ],
  "tool-denied": [
    [{ ...outside, field: "allowed-tools" }, "warning", "Denied: Bash(rm:*) is not in allowed-tools of tea | Bash"],
    [{ ...outside, field: "disallowed-tools" }, "warning", "Denied: Bash(rm:*) is in disallowed-tools of tea | Bash"],
  ],
  "tool-outside": [
    [{ ...outside, field: "allowed-tools" }, "warning", "Outside allowed-tools of tea, logged only | Bash"],
  ],
  "tool-granted": [
    [{ ...outside, digest: "sha256:0" }, "plain", "Allowed without asking | allowed-tools of tea · Bash(rm:*)"],
  ],
  "operation-failed": [
    [
      { operation: "read", skill: "tea", code: "resource-not-found" },
      "warning",
      "Failed: read tea | resource-not-found",
    ],
    [{ operation: "search", code: "unexpected" }, "warning", "Failed: search | unexpected"],
  ],
  "messages-left-out": [
    [
      { count: 2, skills: ["tea"], limit: 100_000 },
      "warning",
      "Left out 2 earlier messages and the instructions of tea: over the limit of 100,000 tokens",
    ],
    [{ count: 0, skills: [], limit: 2000 }, "warning", "Shortened the request: over the limit of 2,000 tokens"],
  ],
  "attachment-left-out": [
    [
      { ...attached, reason: "cut", characters: 32_000 },
      "warning",
      "Left out the end of sales.csv: only 32,000 characters fit | 40.0 KB",
    ],
    [{ ...attached, reason: "cut", characters: 0 }, "warning", "Left out sales.csv: no room for its text | 40.0 KB"],
    [{ ...attached, reason: "too-large" }, "warning", "Left out sales.csv: too large to send | 40.0 KB"],
    [
      { ...attached, reason: "unreadable" },
      "warning",
      "Left out sales.csv: the model cannot read this type of file | 40.0 KB",
    ],
    [{ ...attached, reason: "not-stored" }, "warning", "Left out sales.csv: no longer stored | 40.0 KB"],
  ],
  "request-repeated": [[{ attempt: 1, attempts: 3 }, "warning", "The model was not available | attempt 1 of 3"]],
};

const cases = Object.entries(ROWS).flatMap(([type, rows]) =>
  rows.map(([event, tone, words]) => ({ event: { type, at: 0, ...event } as StepEvent, type, tone, words })),
);

test.each(cases)("$type is shown as: $words", ({ event, tone, words }) => {
  const { sentence, details, tone: shown } = describeEvent(event, parts);
  expect([sentence, details.join(" · ")].filter(Boolean).join(" | ")).toBe(words);
  expect(shown).toBe(tone);
});
