import type { Problem } from "../../../core/base/problem.ts";
import { escapeXml, visibleText } from "../../../core/text/escape.ts";
import type { Io } from "../../terminal/io.ts";
import { inertXml } from "./inert.ts";
import type { Report } from "./report.ts";
import { relativePath } from "./report-path.ts";

/** JUnit XML: a test case for each skill, which fails when the skill has an error. */
export function* junitFormat({ skills, placeProblems }: Report, io: Io): Generator<string> {
  const cases: readonly TestCase[] = [
    ...skills.map(({ path, name, problems }) => ({ path, file: `${path}/SKILL.md`, name, problems })),
    ...Array.from(
      Map.groupBy(placeProblems, ({ path = "" }) => path),
      ([path, problems]) => ({ path, file: path, name: "search", problems }),
    ),
  ];
  const counts = `tests="${cases.length}" failures="${cases.filter(isFailed).length}" errors="0"`;
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts}>\n`;
  yield `  <testsuite name="skillset validate" ${counts} skipped="0" time="0">\n`;
  for (const testCase of cases) yield caseText(testCase, io);
  yield "  </testsuite>\n</testsuites>\n";
}

interface TestCase {
  readonly path: string;
  readonly file: string;
  readonly name: string;
  readonly problems: readonly Problem[];
}

function isFailed({ problems }: TestCase): boolean {
  return problems.some(({ severity }) => severity === "error");
}

function caseText({ path, file, name, problems }: TestCase, io: Io): string {
  const [folder, place] = [path, file].map((one) => attribute(relativePath(one, io) || "."));
  const opening = `    <testcase name="${attribute(name)}" classname="${folder}" file="${place}" time="0"`;
  const errors = problems.filter(({ severity }) => severity === "error");
  const others = problems.filter(({ severity }) => severity !== "error");
  const [first] = errors;
  const failure =
    first === undefined
      ? ""
      : `      <failure type="${first.code}" message="${attribute(first.message)}">${linesOf(errors, io)}</failure>\n`;
  const output = others.length === 0 ? "" : `      <system-out>${linesOf(others, io)}</system-out>\n`;
  return failure + output === "" ? `${opening}/>\n` : `${opening}>\n${failure}${output}    </testcase>\n`;
}

function linesOf(problems: readonly Problem[], io: Io): string {
  return inertXml(problems.map((problem) => escapeXml(visibleText(lineOf(problem, io)))).join("\n"));
}

function lineOf({ code, severity, message, fix, path, line, column }: Problem, io: Io): string {
  const place = [path && relativePath(path, io), line, line && column].filter(Boolean).join(":");
  return `${place && `${place}: `}${severity}: ${message} [${code}]${fix === undefined ? "" : ` Fix: ${fix}`}`;
}

function attribute(text: string): string {
  return inertXml(escapeXml(visibleText(text)).replaceAll('"', "&quot;"));
}
