import {
  type KeyboardEvent,
  useDeferredValue,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { ChatPage } from "../../../shared/api.ts";
import { useApp } from "../api/app-state.tsx";
import { useResource } from "../api/use-resource.ts";
import { useRoute } from "../router/use-route.ts";
import { Icon } from "../ui/icon.tsx";
import { type Command, chatCommand, matching, pageCommands } from "./commands.ts";

interface PaletteProps {
  readonly onClose: () => void;
  readonly onShortcuts: () => void;
}

/** A field that finds chats, skills and commands. It keeps the focus; the arrow keys move in the list. */
export function Palette({ onClose, onShortcuts }: PaletteProps) {
  const { state, commands: skills } = useApp();
  const route = useRoute();
  const [text, setText] = useState("");
  // Enter runs what fits the text as it is now; only the server's search may be behind.
  const wanted = text.trim();
  const query = useDeferredValue(wanted);
  const chats = useResource<ChatPage>(query === "" ? "/api/chats" : `/api/chats?query=${encodeURIComponent(query)}`);
  // The last chats stay while the next ones load.
  const last = useRef<ChatPage | undefined>(undefined);
  last.current = chats.data ?? last.current;
  const shown = last.current;
  const found = useMemo(() => {
    const context = { state, skills, route, showShortcuts: onShortcuts };
    const ours = matching(pageCommands(context), wanted);
    const openId = route.page === "chat" ? route.id : undefined;
    const recent = (shown?.chats ?? []).filter(({ id }) => id !== openId).map(chatCommand);
    const theirs = (shown?.chats ?? []).map(chatCommand);
    // Without a query, the way back to a recent chat is the likeliest wish.
    const few = wanted === "" ? [...recent.slice(0, 5), ...ours] : [...ours.slice(0, 8), ...theirs.slice(0, 20)];
    return few.slice(0, 60);
  }, [state, skills, route, onShortcuts, wanted, shown]);

  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const [place, setPlace] = useState({ text: "", index: 0 });
  const index = Math.min(place.text === text ? place.index : 0, found.length - 1);
  useLayoutEffect(() => {
    const { current: element } = dialog;
    if (element && !element.open) element.showModal();
    return () => element?.close();
  }, []);
  useEffect(() => {
    list.current?.children[index]?.scrollIntoView({ block: "nearest" });
  }, [index]);

  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter") run(found[index]);
    if (step !== undefined && found.length > 0) {
      setPlace({ text, index: (index + step + found.length) % found.length });
    }
    if (step !== undefined || event.key === "Enter") event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      className="dialog palette"
      aria-label="Command palette"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <label className="palette-field">
        <Icon name="search" />
        <input
          role="combobox"
          aria-label="Find a chat, a skill or a command"
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={id}
          aria-activedescendant={found.length > 0 ? `${id}-${index}` : undefined}
          placeholder="Find a chat, a skill or a command"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </label>
      <div ref={list} role="listbox" id={id} aria-label="Results" className="palette-list" tabIndex={-1}>
        {found.map((command, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys
          <div
            key={command.id}
            id={`${id}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === index}
            onPointerMove={() => index !== at && setPlace({ text, index: at })}
            onClick={() => run(command)}
          >
            <Icon name={command.icon} />
            <span>{command.label}</span>
            {command.kind && <span className="hint">{command.kind}</span>}
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p className="hint palette-none" role="status">
          Nothing found
        </p>
      )}
    </dialog>
  );
}
