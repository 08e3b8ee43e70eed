import { Dialog } from "../ui/dialog.tsx";
import { commandKey } from "./use-shortcuts.ts";

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const shortcuts: readonly (readonly [keys: readonly string[], meaning: string])[] = [
    [[commandKey("K")], "Go to a chat or a skill, or run a command"],
    [["/"], "Go to the message field; in it, list skills"],
    [["Enter"], "Send the message"],
    [["Shift", "Enter"], "Start a new line"],
    [["Esc"], "Stop the answer, or close what is open"],
    [[commandKey("Z")], "Undo a deletion, while its message is shown"],
    [["?"], "Show these shortcuts"],
  ];
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="shortcuts">
        {shortcuts.map(([keys, meaning]) => (
          <div key={meaning}>
            <dt>{meaning}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
