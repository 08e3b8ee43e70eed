import type { ScriptDescription } from "./describe-script.ts";
import { FileLink, outputAddress } from "./file-link.tsx";
import { useChatScripts } from "./live-script.ts";

/** The files that a script wrote, with previews of images, and those that were removed. Shown also on a collapsed card. */
export function ScriptFiles({ files, dropped }: Pick<ScriptDescription, "files" | "dropped">) {
  const { chatId } = useChatScripts();
  if (files.length === 0 && dropped.length === 0) return null;
  return (
    <div className="tool-files">
      {files.length > 0 && (
        <ul className="script-files" aria-label="Files">
          {files.map(({ path, size }) => (
            <FileLink key={path} path={path} size={size} address={outputAddress(chatId, path)} />
          ))}
        </ul>
      )}
      {dropped.map(({ path, reason }) => (
        <p key={path} className="note">
          <code>{path}</code> was removed: {reason}.
        </p>
      ))}
    </div>
  );
}
