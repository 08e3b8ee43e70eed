import { fileURLToPath } from "node:url";
import type { SkillFolder } from "./mcp-calls.ts";
import type { Started } from "./mcp-first-page.ts";
import { median, runChild } from "./run-child.ts";

const script = fileURLToPath(new URL("./mcp-first-page.ts", import.meta.url));
const rounds = 5;
const WAYS = { skillset: "skillset", sdk: "SDK, loadSkills" } as const;

/** Measures the time from a cold process to a served set and the first page of `skills/list`. */
export function measureStart({ folder, count }: SkillFolder): string {
  const runs = { skillset: [] as Run[], sdk: [] as Run[] };
  for (let round = 0; round < rounds; round++) {
    for (const way of ["skillset", "sdk"] as const) runs[way].push(run(way, folder));
  }
  const rows = (["skillset", "sdk"] as const).map((way) => {
    const at = (pick: (run: Run) => number, digits = 0): string => median(runs[way].map(pick)).toFixed(digits);
    const times = [at((one) => one.serving), at((one) => one.page), at((one) => one.skills)];
    const bytes = [
      at((one) => one.readServing / 1e6, 1),
      at((one) => one.readPage / 1e6, 1),
      at((one) => one.peak / 1e6),
    ];
    return `| ${[WAYS[way], ...times, ...bytes].join(" | ")} |`;
  });
  return [
    `${count.toLocaleString("en")} skills with four files each, cold processes, warm page cache, medians of ${rounds} interleaved rounds. Serving: from the first line of the program until a client is connected; the page is the first of skills/list, requested next. Read: bytes that the process read from files, without modules.`,
    "",
    "| way | serving ms | first page ms | skills in it | read until serving MB | read for the page MB | peak memory MB |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ...rows,
  ].join("\n");
}

type Run = Started & { readonly peak: number };

function run(way: keyof typeof WAYS, folder: string): Run {
  const child = runChild([script, way, folder]);
  if (child.outcome === "failed") throw new Error(child.reason);
  return { ...(JSON.parse(child.lastLine) as Started), peak: child.peakBytes };
}
