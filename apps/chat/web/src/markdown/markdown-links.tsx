import { createContext, type ReactNode, useContext, useState } from "react";
import { createPortal } from "react-dom";
import { skillFilePath } from "../router/route.ts";
import { FileDialog } from "./file-dialog.tsx";

/** The skill whose text is shown. Relative links in it lead to its files. */
export const SkillContext = createContext<string | undefined>(undefined);

interface MarkdownLinkProps {
  readonly href: string | undefined;
  readonly children: ReactNode;
}

/** A link in untrusted Markdown: to the web, by mail, or to a file of the skill. All other addresses are text. */
export function MarkdownLink({ href = "", children }: MarkdownLinkProps) {
  const skill = useContext(SkillContext);
  if (/^(https?:\/\/|mailto:)/i.test(href)) {
    return (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    );
  }
  const path = skill === undefined ? undefined : pathInSkill(href);
  if (skill === undefined || path === undefined) return <span className="dead-link">{children}</span>;
  return (
    <FileLink skill={skill} path={path}>
      {children}
    </FileLink>
  );
}

interface FileLinkProps {
  readonly skill: string;
  readonly path: string;
  readonly children: ReactNode;
}

function FileLink({ skill, path, children }: FileLinkProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <a
        href={skillFilePath(skill, path)}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        {children}
      </a>
      {isOpen && createPortal(<FileDialog name={skill} path={path} onClose={() => setOpen(false)} />, document.body)}
    </>
  );
}

/** The path of a file below the skill's folder, or undefined for any other address. */
function pathInSkill(href: string): string | undefined {
  const [address = ""] = href.split(/[?#]/);
  if (address === "" || /^[a-z][a-z\d+.-]*:|^[/\\]/i.test(address)) return undefined;
  const path: string[] = [];
  for (const segment of decode(address).split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") path.push(segment);
    else if (path.pop() === undefined) return undefined;
  }
  return path.join("/") || undefined;
}

function decode(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
