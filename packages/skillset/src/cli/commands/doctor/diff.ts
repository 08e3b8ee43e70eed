import type { Hunk, LineChange } from "../../../node/repair/diff-lines.ts";
import type { Paint } from "../../terminal/paint.ts";
import { printable } from "../../terminal/printable.ts";

/** The hunks as a unified diff; empty if there are none. */
export function diffText(hunks: readonly Hunk[], path: string, paint: Paint = (_style, text) => text): string {
  if (hunks.length === 0) return "";
  const lines = [paint("bold", `--- ${path}`), paint("bold", `+++ ${path}`)];
  for (const hunk of hunks) {
    lines.push(paint("cyan", headOf(hunk)));
    for (const { kind, line } of hunk.lines) {
      // A tab is often what a fix replaces, so it must be visible.
      const shown = `${kind}${printable(kind === " " ? line : line.replaceAll("\t", "→"))}`;
      lines.push(kind === " " ? shown : paint(kind === "-" ? "red" : "green", shown));
    }
  }
  return `${lines.join("\n")}\n`;
}

function headOf({ oldStart, newStart, lines }: Hunk): string {
  const count = (not: LineChange["kind"]) => lines.filter(({ kind }) => kind !== not).length;
  return `@@ -${oldStart},${count("+")} +${newStart},${count("-")} @@`;
}
