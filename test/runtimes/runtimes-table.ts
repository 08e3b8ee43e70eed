import type { ProgramResult } from "./program.ts";
import type { Runtime } from "./runtimes/runtime.ts";

const COLUMNS = [
  "skills in code",
  "sessions",
  "search",
  "MCP import",
  "folders",
  "scripts",
  "compiled skills",
] as const;

/** A row of the table in docs/runtimes.md: what a runtime returned for each part of the program. */
export function rowOf(runtime: Runtime, result: ProgramResult, expected: ProgramResult): string[] {
  const same = (...parts: (keyof ProgramResult)[]): string =>
    parts.every((part) => JSON.stringify(result[part]) === JSON.stringify(expected[part])) ? "yes" : "no";
  return [
    runtime.name,
    runtime.version ?? "",
    same("code", "yaml"),
    same("session"),
    same("search"),
    same("mcp"),
    same("folders"),
    same("scripts"),
    runtime.isCompiled ? same("compiled") : "–",
  ];
}

export function tableOf(rows: readonly string[][]): string {
  const head = ["", "version", ...COLUMNS];
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The page with the table inserted. */
export function withTable(page: string, table: string): string {
  const [start, end] = ["<!-- runtimes: written by test/runtimes/runtimes.test.ts -->\n", "\n<!-- /runtimes -->"];
  const [before, after] = [page.indexOf(start), page.indexOf(end)];
  if (before === -1 || after === -1) throw new Error("The page has no place for the table.");
  return page.slice(0, before + start.length) + table + page.slice(after);
}
