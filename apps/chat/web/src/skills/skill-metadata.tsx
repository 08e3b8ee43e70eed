import type { SkillDetail } from "../../../shared/skills-api.ts";

/** What else the author wrote. In its own section, because the author chooses the terms. */
export function SkillMetadata({ metadata }: Pick<SkillDetail, "metadata">) {
  const entries = Object.entries(metadata);
  if (entries.length === 0) return null;
  return (
    <section aria-labelledby="metadata-title">
      <h2 id="metadata-title">Metadata</h2>
      <dl className="facts">
        {entries.map(([key, value]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>
              <Value text={value} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** A list or a mapping is JSON. */
function Value({ text }: { readonly text: string }) {
  if (text.length <= LONG) return text;
  return (
    <details className="long-value">
      <summary>{`${text.slice(0, LONG).trimEnd()}…`}</summary>
      {text}
    </details>
  );
}

/** Longer values are collapsed. */
const LONG = 200;
