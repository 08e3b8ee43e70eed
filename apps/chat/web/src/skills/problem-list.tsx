import type { Problem } from "skillset";
import { Badge } from "../ui/badge.tsx";

/** Problems with their location and fix. */
export function ProblemList({ problems }: { readonly problems: readonly Problem[] }) {
  if (problems.length === 0) return null;
  return (
    <section aria-labelledby="problems-title">
      <h2 id="problems-title">Problems</h2>
      <ul className="problems">
        {problems.map((problem) => (
          <li key={`${problem.code} ${problem.path ?? problem.skill} ${problem.line} ${problem.message}`}>
            <Badge tone={problem.severity === "error" ? "bad" : "warning"}>{problem.severity}</Badge>
            <div>
              <p>{problem.message}</p>
              <p className="reason path">{placeOf(problem)}</p>
              {problem.fix && <p className="reason">{problem.fix}</p>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function placeOf({ path, skill, line, column, code }: Problem): string {
  const file = path ?? skill;
  const place = [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(":");
  return place === "" ? code : `${place} · ${code}`;
}
