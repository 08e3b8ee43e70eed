import { useEffect, useRef, useState } from "react";

interface RenameFieldProps {
  readonly title: string;
  readonly onRename: (title: string) => void;
  readonly onCancel: () => void;
}

/** Renames on Enter and on blur; Escape cancels. */
export function RenameField({ title, onRename, onCancel }: RenameFieldProps) {
  const [text, setText] = useState(title);
  const field = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  useEffect(() => field.current?.select(), []);
  const finish = (isKept: boolean) => {
    if (isDone.current) return;
    isDone.current = true;
    if (isKept && text.trim() !== "") onRename(text.trim());
    else onCancel();
  };
  return (
    <input
      ref={field}
      className="rename-field"
      aria-label="New title"
      maxLength={200}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => finish(true)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === "Enter") finish(true);
        if (event.key === "Escape") {
          event.stopPropagation();
          finish(false);
        }
      }}
    />
  );
}
