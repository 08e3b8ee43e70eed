import type { SkillFileView } from "../../../shared/skills-api.ts";
import { useResource } from "../api/use-resource.ts";
import { Badge } from "../ui/badge.tsx";
import { TextBlock } from "../ui/code-block.tsx";
import { Dialog } from "../ui/dialog.tsx";

interface FileDialogProps {
  readonly name: string;
  readonly path: string;
  readonly onClose: () => void;
}

/** A file of a skill. */
export function FileDialog({ name, path, onClose }: FileDialogProps) {
  const address = `/api/skills/${encodeURIComponent(name)}/file?path=${encodeURIComponent(path)}`;
  const { data, error } = useResource<SkillFileView>(address);
  return (
    <Dialog title={path} onClose={onClose} className="wide">
      {error && <p className="hint">{error}</p>}
      {data?.isTruncated && <Badge tone="warning">truncated</Badge>}
      {data && <TextBlock text={data.content} label={path} />}
    </Dialog>
  );
}
