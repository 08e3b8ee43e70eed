import { createContext, type MouseEvent, useContext, useId, useMemo } from "react";
import type { Footnote } from "./markdown-blocks.ts";

interface FootnoteNumbers {
  /** Makes ids unique on the page. */
  readonly prefix: string;
  readonly numbers: ReadonlyMap<string, number>;
}

export const FootnoteContext = createContext<FootnoteNumbers | undefined>(undefined);

/** The numbers of the footnotes. They stay the same object while no footnote is added, so that nothing is drawn again. */
export function useFootnotes(footnotes: readonly Footnote[]): FootnoteNumbers {
  const prefix = useId();
  const labels = footnotes.map(({ label }) => label).join("\n");
  return useMemo(() => {
    const numbers = new Map(labels === "" ? [] : labels.split("\n").map((label, index) => [label, index + 1]));
    return { prefix, numbers };
  }, [prefix, labels]);
}

/** The number in the text. */
export function FootnoteReference({ label }: { readonly label: string }) {
  const { prefix, numbers } = useContext(FootnoteContext) ?? {};
  const number = numbers?.get(label);
  if (number === undefined) return `[^${label}]`;
  const note = `${prefix}note-${number}`;
  return (
    <a
      href={`#${note}`}
      data-footnote={`${prefix}${number}`}
      aria-label={`Footnote ${number}`}
      onClick={goTo(`#${CSS.escape(note)}`)}
    >
      {number}
    </a>
  );
}

/** Moves there without a change of the address, which names the chat. */
export function goTo(selector: string) {
  return (event: MouseEvent): void => {
    const target = document.querySelector<HTMLElement>(selector);
    event.preventDefault();
    target?.scrollIntoView({ block: "nearest" });
    target?.focus({ preventScroll: true });
  };
}
