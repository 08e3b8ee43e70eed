import type { Problem, Severity } from "../../../core/base/problem.ts";
import type { Io } from "../../terminal/io.ts";
import { printable } from "../../terminal/printable.ts";
import { gravestFirst } from "../../terminal/problem-groups.ts";
import type { Report } from "./report.ts";
import { relativePath } from "./report-path.ts";
import { summary } from "./text-format.ts";

/** Workflow commands, which GitHub shows next to the changed lines. Errors come first, because GitHub shows only some. */
export function* githubFormat(report: Report, io: Io): Generator<string> {
  for (const problem of gravestFirst(report.problems)) yield annotation(problem, io);
  yield summary(report);
}

function annotation({ code, severity, message, fix, path, line, column }: Problem, io: Io): string {
  const properties = [
    ["file", path && relativePath(path, io)],
    ["line", line],
    ["col", line && column],
    ["title", code],
  ]
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([key, value]) => `${key}=${escapeProperty(printable(String(value)))}`);
  const text = printable(fix === undefined ? message : `${message} Fix: ${fix}`);
  return `::${COMMANDS[severity]} ${properties.join(",")}::${escapeData(text)}\n`;
}

const COMMANDS: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "notice" };

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
