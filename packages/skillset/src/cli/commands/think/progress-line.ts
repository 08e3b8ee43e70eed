import { clip, printable } from "../../terminal/printable.ts";

/** One line about an agent's progress. */
export interface ProgressLine {
  readonly label: string;
  readonly text: string;
  /** Further lines, printed below it. */
  readonly details?: readonly string[];
  /** Printed even if progress is not shown. */
  readonly isWarning?: boolean;
}

/** An agent's text on one line, cut and without control characters. */
export function short(text: string): string {
  return clip(printable(text.slice(0, 500)), 100);
}
