import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureCalls } from "./mcp-calls.ts";
import { measureLoad } from "./mcp-load.ts";
import { writeSkills } from "./mcp-skills.ts";
import { measureStart } from "./mcp-start.ts";
import { writeSection } from "./write-section.ts";

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "2000" },
    only: { type: "string", default: "calls,load,start" },
    out: { type: "string" },
  },
});
const calls = Number(values.calls);
const parts = values.only.split(",");
if (!(Number.isInteger(calls) && calls > 0)) {
  console.error("usage: node bench/mcp.ts [--calls 2000] [--only calls,load,start] [--out FILE.md]");
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), "skillset-bench-"));
try {
  const few = { folder: writeSkills(join(folder, "few"), 20), count: 20 };
  const many = { folder: writeSkills(join(folder, "many"), 10_000), count: 10_000 };
  if (parts.includes("calls")) report("mcp-calls", await measureCalls(few, many, calls));
  if (parts.includes("load")) report("mcp-load", await measureLoad(few));
  if (parts.includes("start")) report("mcp-start", measureStart(many));
} finally {
  rmSync(folder, { recursive: true });
}

function report(section: string, markdown: string): void {
  const text = `Node ${process.versions.node}, ${cpus().length} cores. ${markdown}`;
  console.log(`${text}\n`);
  if (values.out !== undefined) writeSection(values.out, section, text);
}
