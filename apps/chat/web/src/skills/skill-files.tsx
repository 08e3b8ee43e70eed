import { useState } from "react";
import type { SkillDetail } from "../../../shared/skills-api.ts";
import { FileDialog } from "../markdown/file-dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { sizeText } from "../ui/size-text.ts";

interface SkillFilesProps {
  readonly name: string;
  readonly files: SkillDetail["files"];
}

export function SkillFiles({ name, files }: SkillFilesProps) {
  // A link to a file that was opened in a new tab names it.
  const [path, setPath] = useState(() => new URLSearchParams(location.search).get("file") ?? undefined);
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
