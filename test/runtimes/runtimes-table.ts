import type { ProgramResult } from "./program.ts";
import type { Runtime } from "./runtimes/runtime.ts";

const COLUMNS = [
  "skills in code",
  "sessions",
  "search",
  "MCP import",
  "adapters",
  "folders",
  "scripts",
  "compiled skills",
  "2,000 skills",
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
    adaptersOf(runtime, result, expected),
    same("folders"),
    same("scripts"),
    same("compiled"),
    same("manyCompiled"),
  ];
}

function adaptersOf({ lacks = {} }: Runtime, { adapters }: ProgramResult, expected: ProgramResult): string {
  const missing = Object.keys(expected.adapters).filter(
    (name) => JSON.stringify(adapters[name]) !== JSON.stringify(expected.adapters[name]),
  );
  if (missing.length === 0) return "yes";
  return `all but ${missing.map((name) => `\`${name}\` (${lacks[name] ?? "failed"})`).join(", ")}`;
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
