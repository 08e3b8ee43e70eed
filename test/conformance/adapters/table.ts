/** A scenario of a contract. */
export interface TableRow {
  readonly title: string;
  readonly needs?: string;
}

/** What a contract runs against. */
export interface TableColumn {
  readonly name: string;
  readonly lacks?: Readonly<Partial<Record<string, string>>>;
}

/** Scenarios and what they run against as a table. A cell contains yes, the reason for no, or a failure. */
export function contractTable<Row extends TableRow, Column extends TableColumn>(
  scenarios: readonly Row[],
  columns: readonly Column[],
  hasFailed: (scenario: Row, column: Column) => boolean,
): string {
  const cell = (scenario: Row, column: Column): string =>
    reasonAgainst(scenario, column) ?? (hasFailed(scenario, column) ? "**failed**" : "yes");
  const lines = [
    ["", ...columns.map(({ name }) => name)],
    ["---", ...columns.map(() => "---")],
    ...scenarios.map((scenario) => [scenario.title, ...columns.map((column) => cell(scenario, column))]),
  ];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Returns why a scenario is not run; undefined if it is. */
export function reasonAgainst({ needs }: TableRow, { lacks }: TableColumn): string | undefined {
  return needs === undefined ? undefined : lacks?.[needs];
}
