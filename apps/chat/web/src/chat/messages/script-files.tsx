import { useState } from "react";
import { Icon } from "../../ui/icon.tsx";
import { sizeText } from "../../ui/size-text.ts";
import type { ScriptDescription, ScriptFile } from "./describe-script.ts";
import { useChatScripts } from "./live-script.ts";

/** The files that a script wrote, with previews of images, and those that were removed. */
export function ScriptFiles({ files, dropped }: Pick<ScriptDescription, "files" | "dropped">) {
  return (
    <>
      {files.length > 0 && (
        <ul className="script-files" aria-label="Files">
          {files.map((file) => (
            <File key={file.path} {...file} />
          ))}
        </ul>
      )}
      {dropped.map(({ path, reason }) => (
        <p key={path} className="note">
          <code>{path}</code> was removed: {reason}.
        </p>
      ))}
    </>
  );
}

function File({ path, size }: ScriptFile) {
  const { chatId } = useChatScripts();
  const [hasPreview, setPreview] = useState(PREVIEWED.test(path) && size > 0);
  const address = `/api/chats/${encodeURIComponent(chatId)}/file?path=${encodeURIComponent(path)}`;
  return (
    <li>
      <Icon name="file" />
      <a href={address} download={path.slice(path.lastIndexOf("/") + 1)}>
        {path}
      </a>
      <span className="hint">{sizeText(size)}</span>
      {hasPreview && (
        <img src={`${address}&preview`} alt={`Preview of ${path}`} loading="lazy" onError={() => setPreview(false)} />
      )}
    </li>
  );
}

/** The server decides by the content; other names are not asked for. */
const PREVIEWED = /\.(?:png|jpe?g|gif|webp)$/i;
