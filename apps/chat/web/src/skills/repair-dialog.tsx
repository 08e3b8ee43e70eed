import { useState } from "react";
import { flushSync } from "react-dom";
import type { RepairRequest, RepairResult, RepairView } from "../../../shared/skills-api.ts";
import { request, sentenceOf } from "../api/request.ts";
import { useResource } from "../api/use-resource.ts";
import { Button } from "../ui/button.tsx";
import { countText } from "../ui/count-text.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Failure } from "../ui/failure.tsx";
import { RepairDiff } from "./repair-diff.tsx";

interface RepairDialogProps {
  /** The file to repair; without it, all that can be repaired. */
  readonly file: string | undefined;
  readonly onClose: () => void;
  readonly onRepaired: (result: RepairResult) => void;
}

/** Shows what a repair would change, and writes it only when the user confirms. */
export function RepairDialog({ file, onClose, onRepaired }: RepairDialogProps) {
  const { data, error, reload } = useResource<readonly RepairView[]>("/api/repairs");
  const [failures, setFailures] = useState<readonly string[]>([]);
  const [isWriting, setWriting] = useState(false);
  const repairs = data?.filter((repair) => file === undefined || repair.file === file);

  const write = async (wanted: readonly RepairView[]) => {
    setWriting(true);
    try {
      const body: RepairRequest = { ids: wanted.map(({ id }) => id) };
      const result = await request<RepairResult>("/api/repairs", { method: "POST", body });
      if (result.repaired.length > 0) onRepaired(result);
      const nameOf = (id: string) => wanted.find((repair) => repair.id === id)?.name ?? "";
      setFailures(result.failed.map(({ id, message }) => `'${nameOf(id)}' was not repaired. ${message}`));
      if (result.failed.length === 0) return close();
      await reload();
    } catch (failure) {
      setFailures([sentenceOf(failure)]);
    }
    setWriting(false);
  };
  const close = () => {
    // The button that opened the dialog goes away with its problem, and nothing behind an open dialog can be focused.
    flushSync(onClose);
    document.getElementById("content")?.focus();
  };

  return (
    <Dialog title={file === undefined ? "Repair all" : "Repair"} onClose={onClose} className="wide">
      {error && <Failure message={error} onRetry={() => void reload()} />}
      {!error && repairs === undefined && <p className="hint">Loading…</p>}
      {repairs?.length === 0 && <p className="hint">Nothing left to repair.</p>}
      {repairs?.map((repair) => (
        <RepairDiff key={repair.file} repair={repair} />
      ))}
      <div role="alert">
        {failures.map((failure) => (
          <p key={failure} className="field-error">
            {failure}
          </p>
        ))}
      </div>
      <div className="dialog-actions">
        {repairs && repairs.length > 0 && <p className="hint">Nothing is written until you confirm.</p>}
        <Button onClick={onClose}>{repairs?.length === 0 ? "Close" : "Cancel"}</Button>
        {repairs && repairs.length > 0 && (
          <Button look="primary" disabled={isWriting} onClick={() => void write(repairs)}>
            {repairs.length === 1 ? "Apply change" : `Apply ${countText(repairs.length, "change")}`}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
