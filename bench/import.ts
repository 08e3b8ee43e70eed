import { fileURLToPath } from "node:url";
import { median, runChild } from "./run-child.ts";

const rounds = 15;
const empty = fileURLToPath(new URL("./contenders/empty.mjs", import.meta.url));
const entry = fileURLToPath(new URL("./contenders/import-entry.mjs", import.meta.url));

const emptyTimes: number[] = [];
const entryTimes: number[] = [];
for (let round = -1; round < rounds; round++) {
  for (const [script, times] of [[empty, emptyTimes] as const, [entry, entryTimes] as const]) {
    const run = runChild([script]);
    if (run.outcome === "failed") {
      console.error(`importing failed: ${run.reason}`);
      process.exit(1);
    }
    // The first round only warms the page cache.
    if (round >= 0) times.push(run.milliseconds);
  }
}

const [emptyTime, entryTime] = [median(emptyTimes), median(entryTimes)];
console.log(`| module | ms, cold, median of ${rounds} |
| --- | ---: |
| empty | ${emptyTime.toFixed(1)} |
| skillset | ${entryTime.toFixed(1)} |
| difference | ${(entryTime - emptyTime).toFixed(1)} |`);
