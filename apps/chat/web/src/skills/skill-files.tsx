import { useState } from "react";
import type { SkillDetail, SkillFileView } from "../../../shared/api.ts";
import { useResource } from "../api/use-resource.ts";
import { Badge } from "../ui/badge.tsx";
import { TextBlock } from "../ui/code-block.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { sizeText } from "../ui/size-text.ts";

interface SkillFilesProps {
  readonly name: string;
  readonly files: SkillDetail["files"];
}

export function SkillFiles({ name, files }: SkillFilesProps) {
  const [path, setPath] = useState<string | undefined>();
  return (
    <section aria-labelledby="files-title">
      <h2 id="files-title">Files</h2>
      {files.length === 0 && <p className="hint">No files besides SKILL.md</p>}
      <ul className="files">
        {files.map((file) => (
          <li key={file.path}>
            <button type="button" onClick={() => setPath(file.path)}>
              <Icon name="file" />
              <span>{file.path}</span>
              <span className="hint">{sizeText(file.size)}</span>
            </button>
          </li>
        ))}
      </ul>
      {path !== undefined && <FileDialog name={name} path={path} onClose={() => setPath(undefined)} />}
    </section>
  );
}

interface FileDialogProps {
  readonly name: string;
  readonly path: string;
  readonly onClose: () => void;
}

function FileDialog({ name, path, onClose }: FileDialogProps) {
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
