import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createTemporaryHome, type InstallItem, installSkills } from "../packages/skillset/src/node/index.ts";
import { median } from "./run-child.ts";
import { writeSection } from "./write-section.ts";

interface Contender {
  readonly name: string;
  run(target: string): void | Promise<void>;
}

const { values } = parseArgs({
  options: {
    skills: { type: "string", default: "200" },
    rounds: { type: "string", default: "15" },
    out: { type: "string" },
  },
});
const [count, rounds] = [Number(values.skills), Number(values.rounds)];
if (!(Number.isInteger(count) && count > 0 && Number.isInteger(rounds) && rounds > 0)) {
  console.error("usage: node bench/install.ts [--skills 200] [--rounds 15] [--out FILE.md]");
  process.exit(1);
}

const limit = "cp -r";
// Where writing costs nothing, only the cost of the method itself remains.
const places = { disk: tmpdir(), ...(existsSync("/dev/shm") && { memory: "/dev/shm" }) };
const rows: string[] = [];
for (const [place, parent] of Object.entries(places)) rows.push(...(await measureIn(place, parent)));
const report = [
  `Node ${process.versions.node}, ${cpus().length} cores. ${count} skills of five files and 39 KB each, warm page cache, medians of ${rounds} interleaved rounds.`,
  "",
  "| in | way | ms | ratio to cp -r |",
  "| --- | --- | ---: | ---: |",
  ...rows,
].join("\n");
console.log(report);
if (values.out !== undefined) writeSection(values.out, "install", report);

async function measureIn(place: string, parent: string): Promise<string[]> {
  const folder = mkdtempSync(join(parent, "skillset-bench-"));
  // Homes are created there too.
  process.env.TMPDIR = folder;
  try {
    const items = writeSkills(join(folder, "skills"));
    const contenders = listContenders(join(folder, "skills"), items);
    return writeRows(place, contenders, await measure(contenders, join(folder, "target")));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Sized like public skills: 6 KB of instructions, two references, a script and an asset. */
function writeSkills(skills: string): readonly InstallItem[] {
  const lines = (bytes: number): string => "Fill in the form, and look at it again.\n".repeat(bytes / 40);
  return Array.from({ length: count }, (_, index) => {
    const name = `skill-${index}`;
    const own = join(skills, name);
    for (const part of ["references", "scripts", "assets"]) mkdirSync(join(own, part), { recursive: true });
    const head = `---\nname: ${name}\ndescription: Fills form ${index}. Use it for forms.\n---\n\n`;
    writeFileSync(join(own, "SKILL.md"), `${head}${lines(6_000)}`);
    writeFileSync(join(own, "references/guide.md"), lines(8_000));
    writeFileSync(join(own, "references/forms.md"), lines(3_000));
    writeFileSync(join(own, "scripts/fill.py"), lines(2_000), { mode: 0o755 });
    writeFileSync(join(own, "assets/template.json"), lines(20_000));
    return { name, source: "ref", folder: own };
  });
}

function listContenders(skills: string, items: readonly InstallItem[]): Contender[] {
  return [
    {
      name: limit,
      run: (target) => {
        const { status, stderr } = spawnSync("cp", ["-r", skills, target], { encoding: "utf8" });
        if (status !== 0) throw new Error(stderr);
      },
    },
    { name: "fs.cpSync, recursive", run: (target) => cpSync(skills, target, { recursive: true }) },
    { name: "installSkills", run: async (target) => void (await installSkills(target, items)) },
    {
      name: "createTemporaryHome, made and removed",
      run: async () => (await createTemporaryHome({ agent: "claude", skills })).close(),
    },
  ];
}

/** Interleaved, with another contender first in each round, so that a slow moment of the machine affects all equally. */
async function measure(contenders: readonly Contender[], target: string): Promise<ReadonlyMap<Contender, number[]>> {
  const times = new Map<Contender, number[]>(contenders.map((contender) => [contender, []]));
  for (let round = -2; round < rounds; round++) {
    const first = (round + contenders.length) % contenders.length;
    for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      const start = performance.now();
      await contender.run(target);
      const time = performance.now() - start;
      rmSync(target, { recursive: true, force: true });
      if (round >= 0) times.get(contender)?.push(time);
    }
  }
  return times;
}

function writeRows(place: string, contenders: readonly Contender[], times: ReadonlyMap<Contender, number[]>): string[] {
  const medianOf = (contender: Contender): number => median(times.get(contender) ?? []);
  const base = Math.min(...contenders.filter(({ name }) => name === limit).map(medianOf));
  return contenders.map((contender) => {
    const time = medianOf(contender);
    return `| ${place} | ${contender.name} | ${time.toFixed(0)} | ${(time / base).toFixed(2)} |`;
  });
}
