import type { SkillDetail } from "../../../shared/skills-api.ts";
import { countText } from "../ui/count-text.ts";

export function SkillFacts({ detail }: { readonly detail: SkillDetail }) {
  const { row, tokens, license, compatibility } = detail;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["Version", row.version],
    ["Source", row.source],
    ["Folder", detail.skillDir],
    ["Size when active", countText(tokens, "token")],
    ["Activated by", usersOf(detail)],
    ["License", license],
    ["Compatibility", compatibility],
  ];
  return (
    <section aria-labelledby="facts-title">
      <h2 id="facts-title">About</h2>
      <dl className="facts">
        {facts.map(([term, value]) =>
          value === undefined ? null : (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
    </section>
  );
}

function usersOf({ row }: SkillDetail): string {
  if (row.isUserInvocable && row.isModelInvocable) return "users and models";
  if (row.isUserInvocable) return "users";
  return row.isModelInvocable ? "models" : "no one";
}
