import type { ThinkEvent } from "../../../acp/options/think-event.ts";
import type { ToolContent, ToolReport } from "../../../acp/options/tool-report.ts";
import { diffLines } from "../../../node/repair/diff-lines.ts";
import { counted } from "../../terminal/printable.ts";
import { type ProgressLine, short } from "./progress-line.ts";

export type ToolEvent = Extract<ThinkEvent, ToolReport>;

/** The lines about an agent's tool calls. */
export class ToolLines {
  readonly #shown = new Set<string>();

  linesFor(event: ToolEvent): readonly ProgressLine[] {
    const lines = this.#isDue(event) ? [{ label: "Tool", text: `${short(event.title)}${aboutTool(event)}` }] : [];
    if (event.type !== "tool-done") return lines;
    const done =
      event.outcome === "failed"
        ? { label: "Tool failed", text: why(event.title, event.text) }
        : changesIn(event.contents);
    return done === undefined ? lines : [...lines, done];
  }

  /** Each call is shown once. Some agents announce it before they know its input and its place. */
  #isDue(event: ToolEvent): boolean {
    const isKnown = event.type === "tool-done" || event.locations.length > 0 || !isEmpty(event.input);
    if (event.title === "" || !isKnown || this.#shown.has(event.id)) return false;
    this.#shown.add(event.id);
    return true;
  }
}

function isEmpty(input: unknown): boolean {
  return typeof input === "object" && input !== null && Object.keys(input).length === 0;
}

/** The kind of a tool call and where it works, if the agent reports them. */
function aboutTool({ kind, locations: [place] }: ToolReport): string {
  const where = place === undefined ? "" : `${short(place.path)}${place.line === undefined ? "" : `:${place.line}`}`;
  const about = [kind === "other" ? "" : kind, where].filter((part) => part !== "");
  return about.length === 0 ? "" : ` (${about.join(", ")})`;
}

/** The files that a tool call changed, and the start of what changed in them. */
function changesIn(contents: readonly ToolContent[]): ProgressLine | undefined {
  const files = contents
    .filter((content) => content.type === "diff")
    .map(({ path, oldText = "", newText }) => {
      const lines = diffLines(oldText, newText).flatMap((hunk) => hunk.lines.filter(({ kind }) => kind !== " "));
      return { path, lines, added: lines.filter(({ kind }) => kind === "+").length };
    });
  if (files.length === 0) return undefined;
  const text = files.map(({ path, lines, added }) => `${short(path)} (+${added} -${lines.length - added})`);
  const lines = files.flatMap((file) => file.lines.map(({ kind, line }) => `${kind} ${short(line)}`));
  const rest = lines.length - MOST_CHANGED_LINES;
  const details = rest > 0 ? [...lines.slice(0, MOST_CHANGED_LINES), `… ${counted(rest, "more line")}`] : lines;
  return { label: "Changed", text: text.join(", "), details };
}

const MOST_CHANGED_LINES = 8;

function why(title: string, text: string): string {
  return text.trim() === "" ? short(title) : `${short(title)}: ${short(text.trim())}`;
}
