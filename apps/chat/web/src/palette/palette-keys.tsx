import { lazy, Suspense, useCallback, useState } from "react";
import { commandKey, useShortcuts } from "./use-shortcuts.ts";

const Palette = lazy(() => import("./palette.tsx").then(({ Palette: component }) => ({ default: component })));
const ShortcutsDialog = lazy(() =>
  import("./shortcuts-dialog.tsx").then(({ ShortcutsDialog: component }) => ({ default: component })),
);

/** The button that opens the command palette, and the keys that do so on every page. */
export function PaletteKeys() {
  const [open, setOpen] = useState<"palette" | "help" | undefined>();
  const close = useCallback(() => setOpen(undefined), []);
  const help = useCallback(() => setOpen("help"), []);
  useShortcuts({ palette: () => setOpen((before) => (before === "palette" ? undefined : "palette")), help });
  return (
    <>
      <button
        type="button"
        className="palette-button"
        aria-keyshortcuts="Control+K Meta+K"
        title="Find a chat, a skill or a command"
        onClick={() => setOpen("palette")}
      >
        <kbd>{commandKey("K")}</kbd>
        <span className="visually-hidden"> Command palette</span>
      </button>
      <Suspense>
        {open === "palette" && <Palette onClose={close} onShortcuts={help} />}
        {open === "help" && <ShortcutsDialog onClose={close} />}
      </Suspense>
    </>
  );
}
