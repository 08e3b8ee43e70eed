import { useState } from "react";
import { Icon } from "../../ui/icon.tsx";
import { sizeText } from "../../ui/size-text.ts";

interface FileLinkProps {
  readonly path: string;
  /** The address of the download. With `&preview`, it returns images only. */
  readonly address: string;
  readonly size?: number | undefined;
}

/** A file with a download and, if it is an image, a preview. An item of a list. */
export function FileLink({ path, address, size }: FileLinkProps) {
  const [hasPreview, setPreview] = useState(PREVIEWED.test(path) && size !== 0);
  return (
    <li>
      <Icon name="file" />
      <a href={address} download={path.slice(path.lastIndexOf("/") + 1)}>
        {path}
      </a>
      <span className="hint">{size === undefined ? "" : sizeText(size)}</span>
      {hasPreview && (
        <img src={`${address}&preview`} alt={`Preview of ${path}`} loading="lazy" onError={() => setPreview(false)} />
      )}
    </li>
  );
}

/** The server decides by the content; other names are not asked for. */
const PREVIEWED = /\.(?:png|jpe?g|gif|webp)$/i;

/** The address of a file that a script wrote in a chat. */
export function outputAddress(chatId: string, path: string): string {
  return `/api/chats/${encodeURIComponent(chatId)}/file?path=${encodeURIComponent(path)}`;
}

/** The address of a file that a model read: of a skill, or of a script's output. */
export function readAddress(chatId: string, skill: string, path: string): string {
  const output = /^\$(?:OUTPUT_DIR|\{OUTPUT_DIR\})\/(.+)$/s.exec(path)?.[1];
  if (output !== undefined) return outputAddress(chatId, output);
  return `/api/skills/${encodeURIComponent(skill)}/raw?path=${encodeURIComponent(path)}`;
}
