import type { SkillDetail, SkillSwitch as SwitchBody } from "../../../shared/skills-api.ts";
import { useApp } from "../api/app-state.tsx";
import { request, sentenceOf } from "../api/request.ts";
import { Button } from "../ui/button.tsx";
import { useToast } from "../ui/toast.tsx";
import { hasSwitch, SkillSwitch } from "./skill-switch.tsx";
import { trySkill } from "./try-skill.tsx";

interface SkillActionsProps {
  readonly detail: SkillDetail;
  readonly onChange: () => void;
}

/** What can be done with a skill on its page: try it in a new chat and, for admins, enable or disable it. */
export function SkillActions({ detail, onChange }: SkillActionsProps) {
  const { row } = detail;
  const { isAdmin } = useApp().state;
  const showToast = useToast();
  const turn = async (name: string, isEnabled: boolean) => {
    try {
      const body: SwitchBody = { isEnabled };
      await request<void>(`/api/skills/${encodeURIComponent(name)}/switch`, { method: "PUT", body });
      onChange();
    } catch (error) {
      showToast(sentenceOf(error));
    }
  };
  const isOn = row.state === "enabled";
  const canTurn = isAdmin && hasSwitch(row);
  return (
    <div className="skill-actions">
      {isOn && row.isUserInvocable && (
        <Button look="primary" icon="chat" onClick={() => trySkill(detail)}>
          Try it
        </Button>
      )}
      {canTurn && (
        <span className="labelled-switch">
          <SkillSwitch name={row.name} isOn={isOn} onTurn={(name, isEnabled) => void turn(name, isEnabled)} />
          <span aria-hidden="true">{isOn ? "Enabled" : "Disabled"}</span>
        </span>
      )}
    </div>
  );
}
