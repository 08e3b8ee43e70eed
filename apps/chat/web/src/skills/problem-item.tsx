import type { ProblemView } from "../../../shared/skills-api.ts";
import { SignInButton } from "../admin/sign-in-button.tsx";
import { useApp } from "../api/app-state.tsx";
import { Badge, type Tone } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";

interface ProblemItemProps {
  readonly problem: ProblemView;
  /** True for one problem of a file: a repair fixes all problems of its file that it can. */
  readonly hasRepair: boolean;
  readonly hasLenientNote: boolean;
  readonly onRepair: (wanted: { readonly file?: string }) => void;
}

/** A problem with its place, how to fix it, and a button if the server can and the user may. */
export function ProblemItem({ problem, hasRepair, hasLenientNote, onRepair }: ProblemItemProps) {
  const { severity, message, fix, path, skill, canRepair = false } = problem;
  const { isAdmin } = useApp().state;
  return (
    <li>
      <Badge tone={TONES[severity]}>{severity}</Badge>
      <div>
        <p>{message}</p>
        <p className="reason path">{placeOf(problem)}</p>
        {fix && <p className="reason">{fix}</p>}
        {hasLenientNote && (
          <p className="reason">
            {canRepair ? "Repair the file, or set" : "Setting"} <code>policy = "lenient"</code> in config.toml{" "}
            {canRepair ? "to load the skill as it is." : "loads the skill as it is."}
          </p>
        )}
      </div>
      {hasRepair && !isAdmin && <SignInButton>Sign in to repair</SignInButton>}
      {hasRepair && isAdmin && path !== undefined && (
        <Button icon="tool" aria-label={`Repair ${skill ?? path}`} onClick={() => onRepair({ file: path })}>
          Repair
        </Button>
      )}
    </li>
  );
}

const TONES: Readonly<Record<ProblemView["severity"], Tone>> = { error: "bad", warning: "warning", info: "neutral" };

function placeOf({ path, skill, line, column, code }: ProblemView): string {
  const file = path ?? skill;
  const place = [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(":");
  return place === "" ? code : `${place} · ${code}`;
}
