import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createSkillset, type Session } from "skillset";
import { median } from "./run-child.ts";
import { writeSection } from "./write-section.ts";

interface Contender {
  readonly name: string;
  /** The file that it returns, which is also read with a bare `readFile`. */
  readonly file: string;
  /** Returns a text that must contain the file's last line. */
  run(): string | Promise<string>;
}

const SKILL = "bench-skill";
const warmUp = 300;
const { values } = parseArgs({ options: { rounds: { type: "string", default: "2000" }, out: { type: "string" } } });
const rounds = Number(values.rounds);
if (!(Number.isInteger(rounds) && rounds > 0)) {
  console.error("usage: node bench/activation.ts [--rounds 2000] [--out FILE.md]");
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), "skillset-bench-"));
try {
  writeSkill(join(folder, SKILL));
  const session = await (await createSkillset(folder)).session();
  const contenders = listContenders(join(folder, SKILL), session);
  const report = writeReport(contenders, await measure(contenders));
  console.log(report);
  if (values.out !== undefined) writeSection(values.out, "activation", report);
} finally {
  rmSync(folder, { recursive: true });
}

/** Sized like a larger public skill: 8 KB of instructions, a reference of 20 KB, and ten other files. */
function writeSkill(skill: string): void {
  const lines = (bytes: number): string => "Fill in the form, and look at it again.\n".repeat(bytes / 40);
  mkdirSync(join(skill, "references"), { recursive: true });
  const head = `---\nname: ${SKILL}\ndescription: Fills forms. Use it for forms.\n---\n\n`;
  writeFileSync(join(skill, "SKILL.md"), `${head}${lines(8_000)}The end.\n`);
  writeFileSync(join(skill, "references/guide.md"), `${lines(20_000)}The end.\n`);
  for (let index = 0; index < 10; index++) writeFileSync(join(skill, `references/more-${index}.md`), lines(400));
}

function listContenders(skill: string, session: Session): Contender[] {
  const bare = (file: string): Contender[] => [
    { name: "readFile", file, run: () => readFile(join(skill, file), "utf8") },
    { name: "readFileSync", file, run: () => readFileSync(join(skill, file), "utf8") },
  ];
  return [
    ...bare("SKILL.md"),
    { name: "session.activate", file: "SKILL.md", run: async () => (await session.activate(SKILL)).text },
    {
      name: "session.files().read",
      file: "SKILL.md",
      run: async () => (await session.files(SKILL).read("SKILL.md")).content,
    },
    ...bare("references/guide.md"),
    {
      name: "session.files().read",
      file: "references/guide.md",
      run: async () => (await session.files(SKILL).read("references/guide.md")).content,
    },
  ];
}

/** Interleaved, with another contender first in each round, so that a slow moment of the machine affects all equally. */
async function measure(contenders: readonly Contender[]): Promise<number[][]> {
  const times: number[][] = contenders.map(() => []);
  for (let round = -warmUp; round < rounds; round++) {
    for (let step = 0; step < contenders.length; step++) {
      const index = (round + warmUp + step) % contenders.length;
      const { name, file, run } = contenders[index] as Contender;
      const start = performance.now();
      const text = await run();
      const time = performance.now() - start;
      if (!text.includes("The end.")) throw new Error(`${name} did not return ${file}`);
      if (round >= 0) times[index]?.push(time * 1_000);
    }
  }
  return times;
}

function writeReport(contenders: readonly Contender[], times: readonly number[][]): string {
  const timeOf = (name: string, file: string): number => {
    const index = contenders.findIndex((contender) => contender.name === name && contender.file === file);
    return median(times[index] ?? []);
  };
  const rows = contenders.map(({ name, file }) => {
    const time = timeOf(name, file);
    const ratios = ["readFile", "readFileSync"].map((bare) => (time / timeOf(bare, file)).toFixed(2));
    return `| ${name} | ${file} | ${time.toFixed(0)} | ${ratios.join(" | ")} |`;
  });
  return [
    `One stored skill with 12 files, Node ${process.versions.node}, ${cpus().length} cores; one process, warm page cache, p50 of ${rounds.toLocaleString("en")} interleaved rounds after ${warmUp} to warm up. A session reads in the calling thread, like readFileSync; readFile uses Node's thread pool, which takes most of its time. Activating also lists the skill's files, hashes the instructions and counts their tokens.`,
    "",
    "| way | file | µs | ratio to readFile | ratio to readFileSync |",
    "| --- | --- | ---: | ---: | ---: |",
    ...rows,
  ].join("\n");
}
