import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface Figures {
  /** Names the cases in the table; reports with the same name are added up. */
  readonly tried?: string;
  readonly cases: number;
  /** Number of successful attacks; every requirement asks for 0. */
  readonly through: number;
  /** Effect of the same cases on a naive implementation. */
  readonly control?: string;
  /** Only printed. */
  readonly note?: string;
}

/** Prints what a security test has tried, and saves it to the folder `SECURITY_REPORT`, if set, for a summary table. */
export function report(requirement: string, figures: Figures): void {
  const { tried, cases, through, control, note } = figures;
  const remarks = [control && `control: ${control}`, note].filter(Boolean).map((remark) => `; ${remark}`);
  console.log(`${requirement}: ${cases} ${tried ?? "cases"}, ${through} got through${remarks.join("")}`);
  const folder = process.env.SECURITY_REPORT;
  if (!folder) return;
  const json = JSON.stringify({ requirement, ...figures });
  mkdirSync(folder, { recursive: true });
  // Several tests, in several processes, may report on one requirement.
  writeFileSync(join(folder, `${requirement}-${randomUUID()}.json`), `${json}\n`);
}
