import type { SkillEntry, UnmetRequirement } from "skillset";
import type { RequirementView, SkillDetail } from "../../shared/skills-api.ts";

type SkillRules = Pick<
  SkillDetail,
  "allowedTools" | "disallowedTools" | "triggers" | "toolsets" | "requirements" | "metadata"
>;

/** What a skill's frontmatter says about its use, for the page. */
export function rulesOf(entry: SkillEntry): SkillRules {
  if (entry.status === "invalid")
    return { allowedTools: [], disallowedTools: [], toolsets: [], requirements: [], metadata: {} };
  const { allowedTools, extra, triggers, metadata } = entry.skill;
  const others = Object.entries(metadata).filter(([key]) => !FIELDS.has(key) && !SHOWN_ELSEWHERE.has(key));
  return {
    allowedTools,
    disallowedTools: textsOf(extra["disallowed-tools"]),
    ...(triggers && { triggers }),
    toolsets: textsOf(extra.toolsets),
    requirements: [...FIELDS].flatMap(([field, kind]) => {
      const text = metadata[field]?.trim();
      return text ? [requirementOf(entry, kind, { field, text })] : [];
    }),
    metadata: Object.fromEntries(others),
  };
}

/** The fields of requirements, with the kind that their unmet ones have. */
const FIELDS: ReadonlyMap<string, UnmetRequirement["kind"]> = new Map([
  ["requires", "command"],
  ["os", "os"],
  ["node", "node"],
  ["python", "python"],
  ["packages", "package"],
  ["env", "env"],
  ["requires-skills", "skill"],
]);

const SHOWN_ELSEWHERE = new Set(["version", "trigger-keywords", "trigger-verbs", "trigger-patterns"]);

function requirementOf(
  entry: SkillEntry,
  kind: UnmetRequirement["kind"],
  written: Pick<RequirementView, "field" | "text">,
): RequirementView {
  if (entry.status === "enabled") return { ...written, state: "met", unmet: [] };
  if (entry.status !== "unavailable") return { ...written, state: "unchecked", unmet: [] };
  const unmet = entry.unmet.filter((one) => one.kind === kind).map(({ reason, fix }) => ({ reason, fix }));
  return { ...written, state: unmet.length > 0 ? "unmet" : "met", unmet };
}

/** A field that is a text or a list. */
function textsOf(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
}
