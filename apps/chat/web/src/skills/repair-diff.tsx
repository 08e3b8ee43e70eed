import type { RepairView } from "../../../shared/skills-api.ts";
import { visibleText } from "./visible-text.ts";

/** What a repair changes: in words, and line by line. */
export function RepairDiff({ repair: { name, file, changes, hunks } }: { readonly repair: RepairView }) {
  return (
    <section className="repair" aria-label={name}>
      <h3>{name}</h3>
      <p className="reason path">{file}</p>
      <ul>
        {changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
      {hunks.map(({ oldStart, newStart, lines }) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll long changes
        <pre key={`${oldStart} ${newStart}`} className="diff" tabIndex={0}>
          {lines.map(({ kind, line }, index) => {
            const Line = ELEMENTS[kind];
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
              <Line key={index} className="diff-line">{`${kind} ${visibleText(line, kind !== " ")}\n`}</Line>
            );
          })}
        </pre>
      ))}
    </section>
  );
}

const ELEMENTS = { " ": "span", "-": "del", "+": "ins" } as const;
