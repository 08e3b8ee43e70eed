import { useState } from "react";
import type { SkillDetail, SkillFileView } from "../../../shared/skills-api.ts";
import { useResource } from "../api/use-resource.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Badge } from "../ui/badge.tsx";
import { TextBlock } from "../ui/code-block.tsx";
import { Icon } from "../ui/icon.tsx";
import { sizeText } from "../ui/size-text.ts";
import { Skeleton } from "../ui/skeleton.tsx";

type ContentProps = Pick<SkillDetail, "files" | "instructions"> & { readonly name: string };

/** The instructions and files of a skill: a list, and the chosen one beside it. */
export function SkillContent({ name, files, instructions }: ContentProps) {
  // A link to a file that was opened in a new tab names it.
  const [path, setPath] = useState(() => new URLSearchParams(location.search).get("file") ?? MAIN);
  const others = files.filter((file) => file.path !== MAIN);
  return (
    <section aria-labelledby="content-title" className="skill-content">
      <h2 id="content-title" className="visually-hidden">
        Content
      </h2>
      {others.length > 0 && (
        <ul className="files" aria-label="Files">
          <FileButton path={MAIN} isCurrent={path === MAIN} onChoose={setPath} />
          {others.map((file) => (
            <FileButton key={file.path} {...file} isCurrent={file.path === path} onChoose={setPath} />
          ))}
        </ul>
      )}
      <article className="file-view" aria-label={path}>
        {path === MAIN ? <Instructions name={name} text={instructions} /> : <File key={path} name={name} path={path} />}
      </article>
    </section>
  );
}

const MAIN = "SKILL.md";

interface FileButtonProps {
  readonly path: string;
  readonly size?: number;
  readonly isCurrent: boolean;
  readonly onChoose: (path: string) => void;
}

function FileButton({ path, size, isCurrent, onChoose }: FileButtonProps) {
  const nameStart = path.lastIndexOf("/") + 1;
  return (
    <li>
      <button type="button" aria-current={isCurrent} onClick={() => onChoose(path)}>
        <Icon name="file" />
        <span>
          {path.slice(0, nameStart)}
          <wbr />
          {path.slice(nameStart)}
        </span>
        {size !== undefined && <span className="hint">{sizeText(size)}</span>}
      </button>
    </li>
  );
}

function Instructions({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div className="instructions">
      {text === "" ? <p className="hint">No instructions</p> : <Markdown text={text} skill={name} />}
    </div>
  );
}

interface FileProps {
  readonly name: string;
  readonly path: string;
}

/** Markdown is rendered, an image is shown, other text has its colours, and the rest is a download. */
function File({ name, path }: FileProps) {
  const query = `path=${encodeURIComponent(path)}`;
  const base = `/api/skills/${encodeURIComponent(name)}`;
  const { data, error } = useResource<SkillFileView>(`${base}/file?${query}`);
  const [isImage, setImage] = useState(true);
  if (data === undefined && error === undefined) return <Skeleton lines={6} />;
  if (data === undefined) {
    return (
      <>
        {isImage && <img src={`${base}/raw?${query}&preview`} alt={path} onError={() => setImage(false)} />}
        {!isImage && <p className="hint">{error}</p>}
        <p>
          <a href={`${base}/raw?${query}`} download={path.slice(path.lastIndexOf("/") + 1)}>
            Download {path}
          </a>
        </p>
      </>
    );
  }
  return (
    <>
      {data.isTruncated && <Badge tone="warning">shortened</Badge>}
      {/\.(?:md|markdown)$/i.test(path) ? (
        <Markdown text={data.content} skill={name} />
      ) : (
        <TextBlock text={data.content} label={path} />
      )}
    </>
  );
}
