import type { Denial } from "../../../../shared/api.ts";
import { Link } from "../../router/link.tsx";
import { skillPath } from "../../router/route.ts";

interface DeniedCallProps {
  readonly denied: Denial;
  /** The skill whose script or tool was called. Its rules apply even if it is not active. */
  readonly owner: string;
}

/** Which skill does not allow a call, and what to change. */
export function DeniedCall({ denied: { skill, field, token }, owner }: DeniedCallProps) {
  const [verb, preposition] = field === "allowed-tools" ? ["add", "to"] : ["remove", "from"];
  return (
    <div className="denied-call">
      <p>
        The skill <Link to={skillPath(skill)}>{skill}</Link> does not allow this call.
      </p>
      <p className="hint">
        To allow it, {verb} <code>{token}</code> {preposition} <code>{field}</code> in its <code>SKILL.md</code>
        {skill !== owner && <>, or unload {skill} in the message field</>}.
      </p>
    </div>
  );
}
