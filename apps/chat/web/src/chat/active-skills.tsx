import type { ActiveSkill } from "../../../shared/api.ts";
import { Link } from "../router/link.tsx";
import { skillPath } from "../router/route.ts";
import { Icon } from "../ui/icon.tsx";

interface ActiveSkillsProps {
  readonly skills: readonly ActiveSkill[];
  readonly onUnload: (name: string) => void;
}

/** The skills whose instructions are part of the conversation, with their size in tokens. */
export function ActiveSkills({ skills, onUnload }: ActiveSkillsProps) {
  if (skills.length === 0) return null;
  return (
    <ul className="active-skills" aria-label="Active skills">
      {skills.map(({ name, tokens, isChanged, isMissing }) => (
        <li key={name} className={isMissing ? "chip missing" : "chip"}>
          <Link to={skillPath(name)}>{name}</Link>
          <span className="chip-cost">
            {tokens.toLocaleString("en")} <abbr title="tokens">tok</abbr>
          </span>
          {isChanged && <span className="chip-note">changed</span>}
          {isMissing && <span className="chip-note">unavailable</span>}
          <button type="button" aria-label={`Unload ${name}`} title={`Unload ${name}`} onClick={() => onUnload(name)}>
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}
