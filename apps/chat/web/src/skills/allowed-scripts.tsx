import { useApp } from "../api/app-state.tsx";
import { request, sentenceOf } from "../api/request.ts";
import { Button } from "../ui/button.tsx";
import { useToast } from "../ui/toast.tsx";

interface AllowedScriptsProps {
  readonly name: string;
  readonly onRevoked: () => void;
}

/** Says that a skill's scripts run without asking, and lets an admin end that. */
export function AllowedScripts({ name, onRevoked }: AllowedScriptsProps) {
  const { isAdmin } = useApp().state;
  const showToast = useToast();
  const revoke = async () => {
    try {
      await request<void>(`/api/skills/${encodeURIComponent(name)}/consent`, { method: "DELETE" });
      onRevoked();
    } catch (error) {
      showToast(sentenceOf(error));
    }
  };
  return (
    <section aria-labelledby="scripts-title" className="allowed-scripts">
      <h2 id="scripts-title">Scripts</h2>
      <p className="hint">The scripts of this version run without asking.</p>
      {isAdmin && <Button onClick={() => void revoke()}>Ask again</Button>}
    </section>
  );
}
