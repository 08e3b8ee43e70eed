import { useEffect, useRef, useState } from "react";
import { Icon } from "../ui/icon.tsx";
import { type Attachments, megabytes } from "./use-attachments.ts";

/** Takes files that are dropped anywhere on the page, and says so while they are dragged over it. */
export function FileDrop({ files }: { readonly files: Attachments }) {
  const [isOver, setOver] = useState(false);
  const latest = useRef(files);
  latest.current = files;
  useEffect(() => {
    // Entering a child fires before the parent is left.
    let depth = 0;
    const onFiles =
      (work: (event: DragEvent) => void) =>
      (event: DragEvent): void => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        work(event);
      };
    const enter = onFiles(() => setOver(++depth > 0));
    const leave = onFiles(() => {
      depth = Math.max(0, depth - 1);
      setOver(depth > 0);
    });
    const over = onFiles(({ dataTransfer }) => {
      if (dataTransfer !== null) dataTransfer.dropEffect = "copy";
    });
    const drop = onFiles(({ dataTransfer }) => {
      depth = 0;
      setOver(false);
      const { files: dropped, hasFolder } = filesIn(dataTransfer);
      latest.current.add(dropped, { hasFolder });
    });
    addEventListener("dragenter", enter);
    addEventListener("dragleave", leave);
    addEventListener("dragover", over);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragenter", enter);
      removeEventListener("dragleave", leave);
      removeEventListener("dragover", over);
      removeEventListener("drop", drop);
    };
  }, []);
  if (!isOver) return null;
  const { maxFiles, maxBytes } = files.limits;
  return (
    <div className="file-drop">
      <div>
        <Icon name="attach" />
        <p>Drop files to attach them</p>
        <p className="hint">
          Up to {maxFiles} files, {megabytes(maxBytes)} each
        </p>
      </div>
    </div>
  );
}

/** Folders look like empty files. */
function filesIn(data: DataTransfer | null): { readonly files: readonly File[]; readonly hasFolder: boolean } {
  const items = [...(data?.items ?? [])].filter(({ kind }) => kind === "file");
  if (items.length === 0) return { files: [...(data?.files ?? [])], hasFolder: false };
  const others = items.filter((item) => !item.webkitGetAsEntry?.()?.isDirectory);
  return { files: others.flatMap((item) => item.getAsFile() ?? []), hasFolder: others.length < items.length };
}
