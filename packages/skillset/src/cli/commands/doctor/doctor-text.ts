import type { Problem } from "../../../core/base/problem.ts";
import { catalogLosses } from "../../command-line/catalog-losses.ts";
import type { Io } from "../../terminal/io.ts";
import { createPaint, type Paint } from "../../terminal/paint.ts";
import { counted, grouped, printable, shownPath } from "../../terminal/printable.ts";
import { groupByRule, groupOf, groupText, MOST_PLACES } from "../../terminal/problem-groups.ts";
import { problemText } from "../../terminal/problem-text.ts";
import { shownAdvice } from "../../terminal/shown-advice.ts";
import { type SkillStatus, statusMark, statusReason, statusStyle } from "../../terminal/status-mark.ts";
import type { CatalogDiagnosis, Diagnosis, SkillDiagnosis } from "./diagnose.ts";

/** A diagnosis as text, with one heading for each question. */
export function* doctorText({ skills, problems, catalog, similar }: Diagnosis, io: Io): Generator<string> {
  const paint = createPaint(io.stdout, io.env);
  const heading = (text: string) => `\n${paint("bold", text)}\n`;
  const absent = skills.filter(({ reason }) => reason !== undefined);
  const present = skills.filter(({ reason }) => reason === undefined);
  yield `Models see ${counted(catalog.skills, "skill")}.\n`;
  if (absent.length > 0) yield heading(`Hidden from models (${grouped(absent.length)})`);
  yield* describeSkills(absent, io, paint);
  if (present.length > 0) yield heading(`Listed with problems (${grouped(present.length)})`);
  yield* describeSkills(present, io, paint);
  if (problems.length > 0) yield heading("Folders");
  yield* describeFolders(problems, io, paint);
  yield heading("Catalog");
  yield* describeCatalog(catalog);
  yield heading("Similar descriptions");
  yield* describeSimilar(similar);
}

/** One skill of each kind in full, and the names of the others. */
function* describeSkills(skills: readonly SkillDiagnosis[], io: Io, paint: Paint): Generator<string> {
  const groups = Map.groupBy(skills, ({ status, reason, problems }) =>
    [status, status === "shadowed" ? "" : (reason ?? "").replace(QUOTED, "…"), ...new Set(problems.map(groupOf))].join(
      " ",
    ),
  );
  for (const [first, ...rest] of groups.values()) {
    if (first === undefined) continue;
    yield describeSkill(first, io, paint);
    if (rest.length === 0) continue;
    const names = rest.slice(0, MOST_PLACES).map(({ name }) => printable(name));
    const more = rest.length > MOST_PLACES ? ", …" : "";
    yield `     ${counted(rest.length, "more", "more")} like this: ${names.join(", ")}${more}\n`;
  }
}

const QUOTED = /'[^']*'/g;

/** Missing standard folders are normal, so they take one line. */
function* describeFolders(problems: readonly Problem[], io: Io, paint: Paint): Generator<string> {
  const isAbsent = ({ code, severity }: Problem) => code === "source-missing" && severity === "info";
  const absent = problems.filter(isAbsent).map(({ path = "" }) => shownPath(path, io));
  for (const group of groupByRule(problems.filter((problem) => !isAbsent(problem))))
    yield indented(groupText(group, io, paint));
  if (absent.length > 0) yield `  Not found, which is normal: ${absent.join(", ")}\n`;
}

function describeSkill({ name, version, status, reason, problems }: SkillDiagnosis, io: Io, paint: Paint): string {
  const style = statusStyle(status);
  const details = problems.map((problem) => indented(problemText(problem, io, paint), "     "));
  return `  ${paint(style, statusMark(status, io.stdout))} ${printable(version === undefined ? name : `${name} ${version}`)}${paint(style, whyNot(status, reason, io))}\n${details.join("")}`;
}

/** The problems of an invalid skill show why it is invalid. */
function whyNot(status: SkillStatus, reason: string | undefined, io: Io): string {
  if (reason === undefined) return "";
  if (status === "invalid") return "  invalid";
  return `  ${shownAdvice(status === "enabled" ? reason : statusReason(status, reason), io)}`;
}

function indented(text: string, by = "  "): string {
  return text.replace(/^(?=.)/gm, by);
}

function* describeCatalog(catalog: CatalogDiagnosis): Generator<string> {
  const { skills, tokens, budget, largest } = catalog;
  if (skills === 0) {
    yield "  It is empty.\n";
    return;
  }
  const verdict = tokens <= budget ? "within" : "over";
  yield `  About ${counted(tokens, "token")} for ${counted(skills, "skill")}: ${verdict} the budget of ${grouped(budget)}.\n`;
  yield `  Largest: ${largest.map(({ name, tokens: size }) => `${printable(name)} (${grouped(size)})`).join(", ")}.\n`;
  const losses = catalogLosses(catalog);
  if (losses !== "") yield `  To fit: ${losses}. Disable skills that you do not need, or shorten descriptions.\n`;
}

const PAIRS_SHOWN = 20;

function* describeSimilar(similar: Diagnosis["similar"]): Generator<string> {
  if (similar === null) {
    yield "  Not compared: there are too many skills.\n";
    return;
  }
  if (similar.length === 0) yield "  None.\n";
  for (const { a, b, similarity } of similar.slice(0, PAIRS_SHOWN)) {
    yield `  ${printable(a)} and ${printable(b)} (${Math.round(similarity * 100)}% similar): a model can confuse them. Say in each when to use it.\n`;
  }
  if (similar.length > PAIRS_SHOWN) yield `  … and ${counted(similar.length - PAIRS_SHOWN, "more pair")}.\n`;
}
