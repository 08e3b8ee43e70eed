import type { SkillRow } from "../../../shared/skills-api.ts";

interface SkillSwitchProps {
  readonly name: string;
  readonly isOn: boolean;
  readonly onTurn: (name: string, isEnabled: boolean) => void;
}

export function SkillSwitch({ name, isOn, onTurn }: SkillSwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      aria-checked={isOn}
      aria-label={`Enable ${name}`}
      onClick={() => onTurn(name, !isOn)}
    >
      <span className="switch-thumb" />
    </button>
  );
}

/** Whether an admin can enable or disable the skill. Others have a problem that comes first. */
export function hasSwitch({ state }: Pick<SkillRow, "state">): boolean {
  return state === "enabled" || state === "disabled";
}
