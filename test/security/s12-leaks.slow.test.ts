import { expect, test } from "vitest";
import { createScriptRunner } from "../../packages/skillset/src/scripts/runners/create-script-runner.ts";
import { fileProbes } from "./leaks/file-probes.ts";
import { hostProbes } from "./leaks/host-probes.ts";
import { outputProbes } from "./leaks/output-probes.ts";
import { CANARY, createHost, type Host, type Probe } from "./leaks/probe.ts";
import { report } from "./report.ts";

const PROBES: readonly Probe[] = [...outputProbes, ...fileProbes, ...hostProbes];
const { runner = (await createScriptRunner("subprocess")).runner } = await createScriptRunner("bubblewrap");
if (runner === undefined) throw new Error("Nothing runs scripts here.");
const ours = createHost(false, runner);
const naive = createHost(true, runner);

async function sees({ look, decode }: Probe, host: Host): Promise<boolean> {
  const seen = await look(host);
  return seen.includes(CANARY) || (decode?.(seen).includes(CANARY) ?? false);
}

const tried: boolean[] = [];

test.each(PROBES)("a secret is not seen: $name", async (probe) => {
  expect(await sees(probe, naive), "The naive host must leak, or the probe shows nothing.").toBe(true);
  const isSeen = await sees(probe, ours);
  tried.push(isSeen);
  expect(isSeen).toBe(false);
});

test("60 leak probes got nothing", () => {
  const through = tried.filter(Boolean).length;
  console.log(`tried ${tried.length}, got through ${through}`);
  report("S12", {
    tried: "probes for a secret",
    cases: tried.length,
    through,
    control: "each sees it in a host that passes on its own environment",
  });
  expect(tried.length).toBeGreaterThanOrEqual(60);
  expect(through).toBe(0);
});
