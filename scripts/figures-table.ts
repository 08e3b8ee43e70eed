/** What one test reports of a security requirement (`test/security/report.ts`). */
export interface Figure {
  readonly requirement: string;
  readonly tried?: string;
  readonly cases: number;
  readonly through: number;
  readonly control?: string;
}

/** Returns a Markdown table with one row for each group of cases of a requirement, and the other rows of an older table. */
export function figuresTable(figures: readonly Figure[], older = ""): string {
  const groups = Map.groupBy(figures, ({ requirement, tried = "" }) => `${requirement}\n${tried}`);
  const rows = [...groups.values()].map((group) => {
    const { requirement, tried = "" } = group[0] as Figure;
    const sum = (field: "cases" | "through"): string =>
      group.reduce((total, figure) => total + figure[field], 0).toLocaleString("en");
    const controls = [...new Set(group.map(({ control }) => control).filter(Boolean))].join("; ");
    const cells = [requirement, tried, sum("cases"), sum("through"), controls];
    return { requirement, tried, line: `| ${cells.join(" | ")} |`.replaceAll("  ", " ") };
  });
  for (const line of older.split("\n").slice(2)) {
    const [requirement = "", tried = ""] = line.slice(2).split(" | ");
    if (!rows.some((row) => row.requirement === requirement && row.tried === tried))
      rows.push({ requirement, tried, line });
  }
  rows.sort((a, b) => placeOf(a.requirement) - placeOf(b.requirement) || a.tried.localeCompare(b.tried, "en"));
  return [
    "| requirement | tried | cases | got through | naive implementation |",
    "| --- | --- | ---: | ---: | --- |",
    ...rows.map(({ line }) => line),
  ].join("\n");
}

/** Sorts by number; requirements without a number are last. */
function placeOf(requirement: string): number {
  return /^S\d+$/.test(requirement) ? Number(requirement.slice(1)) : Number.MAX_SAFE_INTEGER;
}
