import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";

export interface Tab {
  readonly id: string;
  readonly label: string;
  /** A number beside the label, such as that of problems. */
  readonly count?: number;
  readonly isWarning?: boolean;
  readonly content: ReactNode;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly current: string;
  readonly onChange: (id: string) => void;
}

/** Tabs with one panel. The arrow keys, Home and End move between them. */
export function Tabs({ label, tabs, current, onChange }: TabsProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const shown = tabs.find((tab) => tab.id === current) ?? tabs[0];
  if (shown === undefined) return null;
  const onKeyDown = (event: KeyboardEvent) => {
    const index = tabs.indexOf(shown);
    const targets: Readonly<Record<string, number>> = {
      ArrowRight: (index + 1) % tabs.length,
      ArrowLeft: (index + tabs.length - 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const next = targets[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onChange(tabs[next]?.id ?? shown.id);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  };
  return (
    <>
      <div ref={list} className="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={tab === shown}
            aria-controls={`${id}-panel`}
            tabIndex={tab === shown ? 0 : -1}
            onClick={() => onChange(tab.id)}
          >
            {tab.label}
            {tab.count !== undefined && (
              <span className={tab.isWarning === true ? "count warning" : "count"}>
                {tab.count.toLocaleString("en")}
              </span>
            )}
          </button>
        ))}
      </div>
      <div className="tab-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${shown.id}`}>
        {shown.content}
      </div>
    </>
  );
}
