import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface Figures {
  readonly cases: number;
  /** How many cases got through; 0 is what every requirement asks for. */
  readonly through: number;
  /** What the same cases do to the naive way. */
  readonly control?: string;
  readonly note?: string;
}

/** Says what a security test has tried, and leaves it in the folder `SECURITY_REPORT`, if set, for a table of all. */
export function report(requirement: string, figures: Figures): void {
  const { cases, through, control, note } = figures;
  const remarks = [control && `control: ${control}`, note].filter(Boolean).map((remark) => `; ${remark}`);
  console.log(`${requirement}: ${cases} cases, ${through} got through${remarks.join("")}`);
  const folder = process.env.SECURITY_REPORT;
  if (!folder) return;
  const json = JSON.stringify({ requirement, ...figures });
  mkdirSync(folder, { recursive: true });
  // Several tests may report on one requirement, from several processes.
  writeFileSync(join(folder, `${requirement}-${randomUUID()}.json`), `${json}\n`);
}
