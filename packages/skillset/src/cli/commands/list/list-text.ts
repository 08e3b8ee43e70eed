import type { Problem } from "../../../core/base/problem.ts";
import { versionOf } from "../../../core/skill/skill-version.ts";
import type { Skillset } from "../../../core/skillset.ts";
import type { SkillEntry } from "../../../core/source/select.ts";
import { STANDARD_PLACES } from "../../../node/load/sources.ts";
import { groupByPath, originOf } from "../../command-line/found-skill.ts";
import { besidesStandard } from "../../command-line/skills-elsewhere.ts";
import type { Io } from "../../terminal/io.ts";
import { lockedHint } from "../../terminal/locked-hint.ts";
import type { Paint } from "../../terminal/paint.ts";
import { clip, counted, grouped, printable, shownCommand, shownPath } from "../../terminal/printable.ts";
import { shownAdvice } from "../../terminal/shown-advice.ts";
import { STATUSES, statusMark, statusReason, statusStyle } from "../../terminal/status-mark.ts";

export interface ListAsTextOptions {
  /** The arguments of this command, to suggest another one with the same skills. */
  readonly given: readonly string[];
  /** Whether the standard folders were searched. */
  readonly isStandard: boolean;
  /** Show full descriptions, warnings and missing folders. */
  readonly all: boolean;
  readonly paint: Paint;
  readonly io: Io;
}

/** The list for people: a heading for each source, a line for each skill, and a summary. */
export function* listAsText(skillset: Skillset, options: ListAsTextOptions): Generator<string> {
  const { entries, problems } = skillset;
  const { all, paint, io } = options;
  const problemsAt = groupByPath(problems.filter((problem) => isShown(problem, all)));
  for (const { scope, root, members } of groupBySource(entries)) {
    yield `${paint("bold", scope)}  ${shownPath(root, io)}\n`;
    const width = Math.min(
      members.reduce((longest, entry) => Math.max(longest, labelOf(entry).length), 0),
      WIDEST_NAME,
    );
    const describeEnabled = enabledLines(width, options);
    // In pages: yielding ten thousand lines one by one is slower than creating them.
    for (let start = 0; start < members.length; start += PAGE) {
      let page = "";
      for (const entry of members.slice(start, start + PAGE)) {
        page +=
          entry.status === "enabled" && !all
            ? describeEnabled(entry)
            : describeEntry(entry, width, problemsAt, options);
      }
      yield page;
    }
    yield "\n";
  }
  const missing = problems.filter(({ code }) => code === "source-missing");
  if (all) {
    for (const { path = "" } of missing) yield `${paint("dim", `missing  ${shownPath(path, io)}`)}\n`;
  }
  yield* summarise(skillset, options);
}

const PAGE = 100;

/** Formats enabled skills, which are nearly all lines: the parts that all lines share are computed once. */
function enabledLines(width: number, { paint, io: { stdout } }: ListAsTextOptions): (entry: EnabledEntry) => string {
  const mark = paint(statusStyle("enabled"), statusMark("enabled", stdout));
  const columns = stdout.columns ?? DEFAULT_WIDTH;
  const more = stdout.isTTY ? "…" : "...";
  return (entry) => {
    const label = labelOf(entry);
    const room = Math.max(columns - Math.max(label.length, width) - 7, 20);
    const text = paint("dim", printable(clip(entry.skill.description, room, more)));
    return `  ${mark} ${printable(label).padEnd(width)}  ${text}\n`;
  };
}

type EnabledEntry = Extract<SkillEntry, { status: "enabled" }>;

const WIDEST_NAME = 32;
/** The width of lines when the output is not a terminal. */
const DEFAULT_WIDTH = 120;

interface SourceGroup {
  readonly scope: string;
  readonly root: string;
  readonly members: SkillEntry[];
}

function groupBySource(entries: readonly SkillEntry[]): Iterable<SourceGroup> {
  const groups = new Map<string, SourceGroup>();
  let group: SourceGroup | undefined;
  for (const entry of entries) {
    const origin = originOf(entry);
    const { scope, root } = origin.kind === "folder" ? origin : IN_CODE;
    if (group?.root !== root || group.scope !== scope) {
      const key = `${scope} ${root}`;
      group = groups.get(key) ?? { scope, root, members: [] };
      groups.set(key, group);
    }
    group.members.push(entry);
  }
  return groups.values();
}

/** The name, and the version if the skill has one. */
function labelOf(entry: SkillEntry): string {
  const version = entry.status === "invalid" ? undefined : versionOf(entry.skill);
  return version === undefined ? entry.name : `${entry.name} ${version}`;
}

const IN_CODE = { scope: "code", root: "" };

/** Errors and, on request, warnings are shown below a skill. Its own line already says why it is not used. */
function isShown({ severity, code }: Problem, all: boolean): boolean {
  return severity === "error" || (all && severity === "warning" && !SHOWN_AS_REASON.has(code));
}

const SHOWN_AS_REASON: ReadonlySet<Problem["code"]> = new Set(["skill-shadowed", "requirement-unmet"]);

/** Returns a string because ten thousand generators would be slow. */
function describeEntry(
  entry: SkillEntry,
  width: number,
  problemsAt: ReadonlyMap<string, readonly Problem[]>,
  { all, paint, io }: ListAsTextOptions,
): string {
  const { status } = entry;
  const indent = width + 7;
  const found = status === "invalid" || all ? problemsOf(entry, problemsAt) : NOTHING;
  // The first error is the reason why a skill is invalid; entries of any other status have a reason.
  const [reason, below] = status === "invalid" && found[0] ? [withPlace(found[0]), found.slice(1)] : [undefined, found];
  const text =
    status === "enabled"
      ? paint("dim", printable(entry.skill.description))
      : paint(statusStyle(status), shownAdvice(statusReason(status, reason ?? entry.reason), io));
  const mark = paint(statusStyle(status), statusMark(status, io.stdout));
  const line = `  ${mark} ${printable(labelOf(entry)).padEnd(width)}  ${text}\n`;
  if (below.length === 0) return line;
  return (
    line +
    below
      .map((problem) => `${" ".repeat(indent)}${problem.severity}: ${shownAdvice(withPlace(problem), io)}\n`)
      .join("")
  );
}

const NOTHING: readonly Problem[] = [];

function problemsOf(entry: SkillEntry, problemsAt: ReadonlyMap<string, readonly Problem[]>): readonly Problem[] {
  const origin = originOf(entry);
  return (origin.kind === "folder" && problemsAt.get(`${origin.folder}/SKILL.md`)) || NOTHING;
}

function withPlace({ message, line, column }: Problem): string {
  return line === undefined ? message : `${message} (line ${line}${column === undefined ? "" : `, column ${column}`})`;
}

function* summarise(skillset: Skillset, options: ListAsTextOptions): Generator<string> {
  const { entries, problems } = skillset;
  const { given, isStandard, paint, io } = options;
  const unread = problems.filter(({ code }) => code === "skills-not-read" || code === "scan-limit");
  const elsewhere = besidesStandard(skillset, isStandard ? [] : given, io);
  if (entries.length === 0) {
    // A new skill must be where this command looks.
    const place = isStandard ? " --dir skills" : "";
    yield unread.length > 0 || elsewhere !== ""
      ? "No skills found here.\n"
      : `No skills found. Create one with 'skillset new my-skill${place}'.\n`;
    if (isStandard) yield SEARCHED;
  } else {
    const counts = STATUSES.map(
      (status) => [status, entries.filter((entry) => entry.status === status).length] as const,
    );
    const parts = counts.filter(([, count]) => count > 0).map(([status, count]) => `${grouped(count)} ${status}`);
    yield `${paint("bold", counted(entries.length, "skill"))}: ${parts.join(", ")}.\n`;
    yield lockedHint(skillset);
  }
  yield elsewhere;
  for (const { message, fix = "" } of unread.slice(0, UNREAD_SHOWN))
    yield `${paint("yellow", shownAdvice(message, io))} ${shownAdvice(fix, io)}\n`;
  if (unread.length > UNREAD_SHOWN)
    yield `${counted(unread.length - UNREAD_SHOWN, "more place")} with skills that are not read.\n`;
  // Locked skills have their own hint above, and doctor does not repeat them.
  const warnings = problems.filter(({ severity, code }) => severity === "warning" && code !== "skill-locked").length;
  const command = shownCommand("skillset", "doctor", ...given);
  for (const { message } of problems.filter(({ code }) => code === "pattern-unmatched"))
    yield `${paint("yellow", printable(message))}\n`;
  if (warnings > 0) yield `${paint("yellow", counted(warnings, "warning"))}: run '${command}'.\n`;
}

const UNREAD_SHOWN = 3;

const SEARCHED =
  `Searched ${STANDARD_PLACES}.\n` +
  "To search elsewhere, run 'skillset list PATH'. To see the skills that come with skillset, add '--bundled'.\n";
