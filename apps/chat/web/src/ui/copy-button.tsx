import { useEffect, useState } from "react";
import { IconButton } from "./button.tsx";

export function CopyButton({ text, label = "Copy" }: { readonly text: string; readonly label?: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    await copyText(text);
    setCopied(true);
  };
  return (
    <>
      <IconButton icon={isCopied ? "check" : "copy"} label={isCopied ? "Copied" : label} onClick={() => void copy()} />
      <span role="status" className="visually-hidden">
        {isCopied ? "Copied" : ""}
      </span>
    </>
  );
}

/** Falls back to `execCommand`: over plain HTTP on a local network, browsers disable the clipboard API. */
async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}
