// The same small program with skillset and with three agent frameworks: a folder of skills, a skill in code, a model
// and two turns. Each is installed into its own folder and talks to a scripted model on this machine.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, globSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type ScriptStep, startScriptedModel } from "@skillset/testing";
import { median } from "./run-child.ts";
import { writeSection } from "./write-section.ts";

interface Contender {
  readonly name: string;
  readonly program: string;
  readonly packages: readonly string[];
  /** The call with which the program's model activates a skill. */
  activate(skill: "tea" | "coffee"): ScriptStep;
}

const { values } = parseArgs({
  options: {
    installs: { type: "string", default: "3" },
    rounds: { type: "string", default: "9" },
    out: { type: "string" },
  },
});
const [installs, rounds] = [Number(values.installs), Number(values.rounds)];
if (![installs, rounds].every((count) => Number.isInteger(count) && count > 0)) {
  console.error("usage: node bench/five-minutes.ts [--installs 3] [--rounds 9] [--out FILE.md]");
  process.exit(1);
}

const ANSWERS = ["Steep it for three minutes.", "Brew it for four minutes."];
const SKILLS = {
  coffee: "---\nname: coffee\ndescription: Brews coffee. Use when asked for coffee.\n---\n\nBrew for 4 minutes.\n",
};
const BROKEN = {
  deploy: "---\nname: deploy\ndescription: Deploys the app. Use when: someone says ship it\n---\n\nShip it.\n",
  notes: "# Notes\n\nTake notes.\n",
};

const folder = mkdtempSync(join(tmpdir(), "skillset-five-minutes-"));
try {
  const report = await measure(listContenders());
  console.log(report);
  if (values.out !== undefined) writeSection(values.out, "five-minutes", report);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function listContenders(): readonly Contender[] {
  const [{ filename }] = JSON.parse(npm(["pack", "--json", "--pack-destination", folder, "-w", "packages/skillset"]));
  return [
    {
      name: "skillset, AI SDK 7.0.169",
      program: "skillset.mjs",
      packages: [join(folder, filename), "ai@7.0.169", "@ai-sdk/openai@4.0.114"],
      activate: (name) => ({ call: "activate_skill", input: { name } }),
    },
    {
      name: "Mastra 1.71.0",
      program: "mastra.mjs",
      packages: ["@mastra/core@1.71.0", "zod@4.6.7"],
      activate: (name) => ({ call: "skill", input: { name } }),
    },
    {
      name: "Strands 1.19.0",
      program: "strands.mjs",
      packages: ["@strands-agents/sdk@1.19.0", "openai@6.49.0", "zod@4.6.7"],
      activate: (name) => ({ call: "skills", input: { skill_name: name } }),
    },
    {
      name: "deepagents 1.14.1",
      program: "deepagents.mjs",
      packages: [
        "deepagents@1.14.1",
        "langchain@1.5.14",
        "@langchain/core@1.2.13",
        "@langchain/langgraph@1.4.18",
        "@langchain/openai@1.5.8",
      ],
      activate: (name) => {
        const file_path = `/${name === "tea" ? "code" : "skills"}/${name}/SKILL.md`;
        return { call: "read_file", input: { file_path } };
      },
    },
  ];
}

async function measure(contenders: readonly Contender[]): Promise<string> {
  const [waited, seconds] = [contenders.map((): number[] => []), contenders.map((): number[] => [])];
  for (let round = 0; round < installs; round++) {
    for (const [index, contender] of contenders.entries()) waited[index]?.push(install(contender));
  }
  for (let round = 0; round < rounds; round++) {
    for (const [index, contender] of contenders.entries()) seconds[index]?.push((await run(contender)).seconds);
  }
  for (const { program } of contenders) writeSkills(join(folder, program), BROKEN);
  const broken: Awaited<ReturnType<typeof run>>[] = [];
  for (const contender of contenders) broken.push(await run(contender));
  const rows = contenders.map(({ name, program }, index) => {
    const { megabytes, packages } = sizeUp(join(folder, program, "node_modules"));
    const [took, ran] = [median(waited[index] ?? []), median(seconds[index] ?? [])];
    const { catalog = "", printed = [] } = broken[index] ?? {};
    const listed = Object.keys(BROKEN).map((skill) => (catalog.includes(skill) ? "yes" : "no"));
    const cells = [countLines(program), packages, took.toFixed(1), megabytes.toFixed(0), ran.toFixed(2)];
    return `| ${[name, ...cells, ...listed, printed.length].join(" | ")} |`;
  });
  return [
    `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, npm ${npm(["--version"]).trim()}, ${cpus().length} cores. Medians of ${installs} installations with an empty cache and of ${rounds} runs, interleaved.`,
    "",
    "| program | lines | packages | install s | MB | run s | lists `deploy` | lists `notes` | lines printed about them |",
    "| --- | ---: | ---: | ---: | ---: | ---: | --- | --- | ---: |",
    ...rows,
    "",
    "What each prints about the two broken skills:",
    ...contenders.flatMap(({ name }, index) => [
      "",
      `${name}:`,
      "",
      "```",
      ...shorten(broken[index]?.printed ?? []),
      "```",
    ]),
  ].join("\n");
}

/** Returns how many seconds it took. */
function install({ program, packages }: Contender): number {
  const own = join(folder, program);
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own);
  writeFileSync(join(own, "package.json"), JSON.stringify({ private: true, type: "module" }));
  cpSync(join("bench/five-minutes", program), join(own, "program.mjs"));
  writeSkills(own, SKILLS);
  const cache = join(folder, "cache", program);
  const start = performance.now();
  npm(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--cache", cache, ...packages], own);
  const seconds = (performance.now() - start) / 1000;
  rmSync(cache, { recursive: true, force: true });
  return seconds;
}

function sizeUp(modules: string): { readonly megabytes: number; readonly packages: number } {
  const files = globSync(join(modules, "**")).map((path) => lstatSync(path));
  const bytes = files.filter((file) => file.isFile()).reduce((sum, { size }) => sum + size, 0);
  const lock = JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8")) as { packages: object };
  return { megabytes: bytes / 1e6, packages: Object.keys(lock.packages).length };
}

function writeSkills(own: string, skills: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(skills)) {
    mkdirSync(join(own, "skills", name), { recursive: true });
    writeFileSync(join(own, "skills", name, "SKILL.md"), text);
  }
}

/** Runs the program from start to end, and checks that the model received both skills. */
async function run({ name, program, activate }: Contender) {
  const [tea = "", coffee = ""] = ANSWERS;
  await using model = await startScriptedModel([activate("tea"), { say: tea }, activate("coffee"), { say: coffee }]);
  const cwd = join(folder, program);
  const env = { ...process.env, OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: "any", NO_COLOR: "1" };
  const start = performance.now();
  const child = spawn(process.execPath, ["program.mjs"], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const timer = setTimeout(() => child.kill("SIGKILL"), 60_000);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const code = await new Promise((done) => child.once("close", done));
  clearTimeout(timer);
  const seconds = (performance.now() - start) / 1000;
  assert.equal(code, 0, `${name} failed: ${output}`);
  assert.deepEqual(model.faults, [], name);
  for (const answer of ANSWERS) assert.ok(output.includes(answer), `${name} did not print '${answer}': ${output}`);
  const results = model.requests.at(-1)?.toolResults.map(({ text }) => text) ?? [];
  assert.match(results.join("\n"), /Steep for 3 minutes[\s\S]*Brew for 4 minutes/, name);
  const lines = output.replaceAll(`${cwd}/`, "").split("\n");
  const printed = lines.map((line) => line.trimEnd()).filter((line) => line !== "" && !ANSWERS.includes(line));
  return { seconds, printed, catalog: model.requests[0]?.system ?? "" };
}

/** Counts lines without blank ones; all programs use the same formatter. */
function countLines(program: string): number {
  const text = readFileSync(join("bench/five-minutes", program), "utf8");
  return text.split("\n").filter((line) => line.trim() !== "").length;
}

/** Shortens the output: some programs print the same at every request, or a stack. */
function shorten(printed: readonly string[]): readonly string[] {
  const lines = [...new Set(printed)].filter((line) => !/^\s+at /.test(line));
  return lines.length <= 8 ? lines : [...lines.slice(0, 8), `… ${lines.length - 8} other lines`];
}

function npm(given: readonly string[], cwd = resolve(".")): string {
  return execFileSync("npm", given, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}
