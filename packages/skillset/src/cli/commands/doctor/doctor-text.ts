import { catalogLosses } from "../../command-line/catalog-losses.ts";
import type { Io } from "../../terminal/io.ts";
import { createPaint, type Paint } from "../../terminal/paint.ts";
import { counted, grouped, printable } from "../../terminal/printable.ts";
import { problemText } from "../../terminal/problem-text.ts";
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
  for (const skill of absent) yield describeSkill(skill, io, paint);
  if (present.length > 0) yield heading(`Listed with problems (${grouped(present.length)})`);
  for (const skill of present) yield describeSkill(skill, io, paint);
  if (problems.length > 0) yield heading("Folders");
  for (const problem of problems) yield indented(problemText(problem, io, paint));
  yield heading("Catalog");
  yield* describeCatalog(catalog);
  yield heading("Similar descriptions");
  yield* describeSimilar(similar);
}

function describeSkill({ name, version, status, reason, problems }: SkillDiagnosis, io: Io, paint: Paint): string {
  const style = statusStyle(status);
  const details = problems.map((problem) => indented(problemText(problem, io, paint), "     "));
  return `  ${paint(style, statusMark(status, io.stdout))} ${printable(version === undefined ? name : `${name} ${version}`)}${paint(style, whyNot(status, reason))}\n${details.join("")}`;
}

/** The problems of an invalid skill show why it is invalid. */
function whyNot(status: SkillStatus, reason: string | undefined): string {
  if (reason === undefined) return "";
  if (status === "invalid") return "  invalid";
  return `  ${printable(status === "enabled" ? reason : statusReason(status, reason))}`;
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
