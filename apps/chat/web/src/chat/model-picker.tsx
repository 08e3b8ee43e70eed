import { type KeyboardEvent, useId, useState } from "react";
import type { ModelInfo } from "../../../shared/api.ts";
import { useApp } from "../api/app-state.tsx";
import { Icon } from "../ui/icon.tsx";
import { usePopup } from "../ui/use-popup.ts";

interface ModelPickerProps {
  readonly modelId: string;
  readonly onChange: (modelId: string) => void;
}

/** A list to choose the model from. The button keeps the focus, as with a native one. */
export function ModelPicker({ modelId, onChange }: ModelPickerProps) {
  const { models } = useApp().state;
  const popup = usePopup();
  const { isOpen } = popup;
  const id = useId();
  const current = models.findIndex((model) => model.id === modelId);
  const [index, setIndex] = useState(current);
  const open = () => {
    setIndex(Math.max(0, current));
    popup.setOpen(true);
  };
  const choose = (model: ModelInfo | undefined) => {
    popup.close();
    if (model !== undefined && model.id !== modelId) onChange(model.id);
  };
  const move = (to: number) => {
    const next = Math.min(Math.max(to, 0), models.length - 1);
    setIndex(next);
    popup.panel.current?.children[next]?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    if (!isOpen) {
      if (!["ArrowDown", "ArrowUp"].includes(key)) return;
      event.preventDefault();
      return open();
    }
    if (key === "Tab") return popup.setOpen(false);
    const action = {
      ArrowDown: () => move(index + 1),
      ArrowUp: () => move(index - 1),
      Home: () => move(0),
      End: () => move(models.length - 1),
      Enter: () => choose(models[index]),
      " ": () => choose(models[index]),
      Escape: popup.close,
    }[key];
    const typed = key.length === 1 ? nextWith(models, key, index) : -1;
    if (action === undefined && typed < 0) return;
    event.preventDefault();
    event.stopPropagation();
    if (action) action();
    else move(typed);
  };
  return (
    <div className="model-picker" ref={popup.root}>
      <button
        ref={popup.trigger}
        type="button"
        className="pill"
        role="combobox"
        aria-label="Model"
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-activedescendant={isOpen ? `${id}-${index}` : undefined}
        title="Choose the model"
        onClick={() => (isOpen ? popup.close() : open())}
        onKeyDown={onKeyDown}
      >
        <span>{models[current]?.label ?? modelId}</span>
        <Icon name="expand" />
      </button>
      <div
        ref={popup.panel}
        popover="manual"
        role="listbox"
        id={id}
        aria-label="Models"
        className="popup"
        tabIndex={-1}
      >
        {models.map((model, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the button has the focus and handles the keys
          <div
            key={model.id}
            id={`${id}-${at}`}
            role="option"
            tabIndex={-1}
            className={at === index ? "current" : undefined}
            aria-selected={model.id === modelId}
            onClick={() => choose(model)}
          >
            <span>{model.label}</span>
            {!model.hasTools && !model.isOffline && <span className="hint">no tools</span>}
            {model.id === modelId && <Icon name="check" />}
          </div>
        ))}
      </div>
    </div>
  );
}

/** The next model after the index whose name starts with the letter, or -1. */
function nextWith(models: readonly ModelInfo[], letter: string, index: number): number {
  const matches = (model: ModelInfo) => model.label.toLowerCase().startsWith(letter.toLowerCase());
  const after = models.findIndex((model, at) => at > index && matches(model));
  return after < 0 ? models.findIndex(matches) : after;
}
