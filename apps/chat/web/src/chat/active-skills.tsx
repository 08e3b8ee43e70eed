import { type KeyboardEvent, useId } from "react";
import type { ActiveSkill } from "../../../shared/api.ts";
import { Link } from "../router/link.tsx";
import { skillPath } from "../router/route.ts";
import { Icon } from "../ui/icon.tsx";
import { tokensText } from "../ui/tokens-text.ts";
import { usePopup } from "../ui/use-popup.ts";

interface ActiveSkillsProps {
  readonly skills: readonly ActiveSkill[];
  readonly onUnload: (name: string) => void;
}

/** The skills whose instructions are part of the conversation: how many and how large, and in a panel, which. */
export function ActiveSkills({ skills, onUnload }: ActiveSkillsProps) {
  const { isOpen, setOpen, close, root, trigger, panel } = usePopup();
  const id = useId();
  if (skills.length === 0) return null;
  const [first] = skills;
  const tokens = skills.reduce((sum, skill) => sum + skill.tokens, 0);
  const needsCare = skills.some(({ isChanged, isMissing }) => isChanged || isMissing);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen || event.key !== "Escape") return;
    event.stopPropagation();
    close();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the panel wherever the focus is in it
    <div ref={root} className="active-skills" onKeyDown={onKeyDown}>
      <button
        ref={trigger}
        type="button"
        className="pill"
        aria-expanded={isOpen}
        aria-controls={id}
        title="Active skills"
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="skill" />
        <span>{skills.length === 1 ? first?.name : `${skills.length} skills`}</span>
        <span className="pill-cost">{tokensText(tokens)}</span>
        {needsCare && <Icon name="alert" />}
      </button>
      <div ref={panel} popover="manual" id={id} className="popup">
        <p className="popup-title">Active skills</p>
        <ul aria-label="Active skills">
          {skills.map((skill) => (
            <li key={skill.name} className={skill.isMissing ? "missing" : undefined}>
              <Link to={skillPath(skill.name)}>{skill.name}</Link>{" "}
              {skill.isChanged && <span className="chip-note">changed</span>}{" "}
              {skill.isMissing && <span className="chip-note">unavailable</span>}{" "}
              <span className="pill-cost">{tokensText(skill.tokens)}</span>
              <button
                type="button"
                aria-label={`Unload ${skill.name}`}
                title={`Unload ${skill.name}`}
                onClick={() => {
                  setOpen(skills.length > 1);
                  onUnload(skill.name);
                }}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
