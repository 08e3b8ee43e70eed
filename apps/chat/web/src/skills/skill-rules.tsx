import type { ReactNode } from "react";
import type { RequirementView, SkillDetail } from "../../../shared/skills-api.ts";
import { Badge, type Tone } from "../ui/badge.tsx";

/** What a skill restricts, what triggers it, and what it requires. Shows only what the skill has. */
export function SkillRules({ detail }: { readonly detail: SkillDetail }) {
  const { allowedTools, disallowedTools, triggers, toolsets, requirements, policies } = detail;
  const { keywords = [], verbs = [], patterns = [] } = triggers ?? {};
  const hint = TRIGGER_HINTS[policies.triggers];
  const lists: readonly RuleProps[] = [
    { term: "Allowed tools", items: allowedTools, hint: ALLOWED_HINTS[policies.allowedTools] },
    { term: "Disallowed tools", items: disallowedTools, hint: DISALLOWED_HINTS[policies.allowedTools] },
    { term: "Trigger keywords", items: keywords, hint },
    { term: "Trigger verbs", items: verbs, hint: keywords.length > 0 ? undefined : hint },
    { term: "Trigger patterns", items: patterns, hint: keywords.length + verbs.length > 0 ? undefined : hint },
    { term: "Toolsets", items: toolsets },
  ];
  const shown = lists.filter(({ items }) => items.length > 0);
  if (shown.length === 0 && requirements.length === 0) return null;
  return (
    <section aria-labelledby="rules-title">
      <h2 id="rules-title">Rules</h2>
      <dl className="facts rules">
        {shown.map((rule) => (
          <Rule key={rule.term} {...rule} />
        ))}
        {requirements.map((requirement) => (
          <Requirement key={requirement.field} requirement={requirement} />
        ))}
      </dl>
    </section>
  );
}

const ALLOWED_HINTS = {
  enforce: "Other calls are denied while the skill is active.",
  log: "Other calls are logged while the skill is active.",
  off: "Ignored by this chat's settings.",
} as const;

const DISALLOWED_HINTS = {
  enforce: "These calls are denied while the skill is active.",
  log: "These calls are logged while the skill is active.",
  off: ALLOWED_HINTS.off,
} as const;

const TRIGGER_HINTS = {
  activate: "A message that matches activates the skill.",
  suggest: "A message that matches suggests the skill to the model.",
  off: "Triggers are disabled in this chat's settings.",
} as const;

interface RuleProps {
  readonly term: string;
  readonly items: readonly string[];
  readonly hint?: string | undefined;
}

function Rule({ term, items, hint }: RuleProps) {
  return (
    <Row term={term}>
      <ul className="tokens">
        {items.map((item) => (
          <li key={item}>
            <code>{item}</code>
          </li>
        ))}
      </ul>
      {hint && <p className="reason">{hint}</p>}
    </Row>
  );
}

function Requirement({ requirement: { field, text, state, unmet } }: { readonly requirement: RequirementView }) {
  const { tone, word } = STATES[state];
  return (
    <Row term={TERMS.get(field) ?? field}>
      <p className="requirement">
        <code>{text}</code> <Badge tone={tone}>{word}</Badge>
      </p>
      {unmet.map(({ reason, fix }) => (
        <p key={reason} className="reason">
          {`${reason.charAt(0).toUpperCase()}${reason.slice(1)}. ${fix}`}
        </p>
      ))}
    </Row>
  );
}

const STATES: Readonly<Record<RequirementView["state"], { readonly tone: Tone; readonly word: string }>> = {
  met: { tone: "good", word: "met" },
  unmet: { tone: "warning", word: "not met" },
  unchecked: { tone: "neutral", word: "not checked" },
};

const TERMS: ReadonlyMap<string, string> = new Map([
  ["requires", "Requires commands"],
  ["os", "Requires a system"],
  ["node", "Requires Node"],
  ["python", "Requires Python"],
  ["packages", "Requires packages"],
  ["env", "Requires environment variables"],
  ["requires-skills", "Requires skills"],
]);

function Row({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
