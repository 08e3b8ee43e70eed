import { useState } from "react";
import type { ProblemView, RepairResult } from "../../../shared/skills-api.ts";
import { useApp } from "../api/app-state.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { countText } from "../ui/count-text.ts";
import { ProblemItem } from "./problem-item.tsx";
import { RepairDialog } from "./repair-dialog.tsx";

interface ProblemListProps {
  /** Errors first. */
  readonly problems: readonly ProblemView[];
  readonly onRepaired: (result: RepairResult) => void;
  /** Whether all are shown at once. */
  readonly isWhole?: boolean;
}

/** The number of problems, and the first of them with their place and what to do. */
export function ProblemList({ problems, onRepaired, isWhole: startsWhole = false }: ProblemListProps) {
  const { isAdmin } = useApp().state;
  const [isWhole, setWhole] = useState(startsWhole);
  /** The file to repair, or all. */
  const [repairing, setRepairing] = useState<{ readonly file?: string } | undefined>();
  if (problems.length === 0 && repairing === undefined)
    return startsWhole ? <p className="hint">No problems: every skill that was found can be used.</p> : null;
  const shown = isWhole ? problems : problems.slice(0, SHOWN);
  const repairable = firstOfEachFile(problems.filter(({ canRepair }) => canRepair));
  const lenient = firstOfEachFile(problems.filter(({ loadsLeniently }) => loadsLeniently));
  return (
    <section aria-labelledby="problems-title" className="problem-summary">
      <div className="problem-head">
        <h2 id="problems-title">{countText(problems.length, "problem")}</h2>
        <Severities problems={problems} />
        {isAdmin && repairable.size > 1 && (
          <Button icon="tool" onClick={() => setRepairing({})}>
            Repair all
          </Button>
        )}
      </div>
      <ul className="problems">
        {shown.map((problem) => (
          <ProblemItem
            key={keyOf(problem)}
            problem={problem}
            hasRepair={repairable.has(problem)}
            hasLenientNote={lenient.has(problem)}
            onRepair={setRepairing}
          />
        ))}
      </ul>
      {!startsWhole && problems.length > SHOWN && (
        <Button aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show fewer" : `Show all ${countText(problems.length, "problem")}`}
        </Button>
      )}
      {repairing && (
        <RepairDialog file={repairing.file} onClose={() => setRepairing(undefined)} onRepaired={onRepaired} />
      )}
    </section>
  );
}

/** The problems that are shown until the user asks for all. */
const SHOWN = 3;

/** A file can have problems of several severities, with problems of other files between them. */
function firstOfEachFile(problems: readonly ProblemView[]): ReadonlySet<ProblemView> {
  return new Set(new Map(problems.toReversed().map((problem) => [problem.path, problem])).values());
}

function Severities({ problems }: { readonly problems: readonly ProblemView[] }) {
  const count = (severity: ProblemView["severity"]) =>
    problems.filter((problem) => problem.severity === severity).length;
  const [errors, warnings, notes] = [count("error"), count("warning"), count("info")];
  return (
    <p className="problem-counts">
      {errors > 0 && <Badge tone="bad">{countText(errors, "error")}</Badge>}
      {warnings > 0 && <Badge tone="warning">{countText(warnings, "warning")}</Badge>}
      {notes > 0 && <Badge>{countText(notes, "note")}</Badge>}
    </p>
  );
}

function keyOf({ code, path, skill, line, message }: ProblemView): string {
  return `${code} ${path ?? skill} ${line} ${message}`;
}
