import { spawnSync } from "node:child_process";
import { lstatSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createSkillset } from "skillset";
import type { RunnerName } from "skillset/scripts";
import { describe, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../temporary-folder.ts";
import { EMBEDDED_WAYS, GOAL, SYSTEM_WAYS, type WayToFill } from "./disk/ways.ts";
import { report } from "./report.ts";

const LIMIT = 4_000_000;
/** Memory that a script in bubblewrap can use beyond the limit, and the step of the scripts. */
const SPARE = 4_096 * 4_096 + 3_000_000;

/** The most that a script held, as it said itself. */
function mostHeld(stdout: string): number {
  return Math.max(0, ...[...stdout.matchAll(/^held (\d+)$/gm)].map(([, bytes]) => Number(bytes)));
}

/** The blocks that a folder uses on the disk. */
function usedIn(folder: string): number {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const stats = paths.map((path) => lstatSync(join(folder, path), { throwIfNoEntry: false }));
  return stats.reduce((sum, one) => sum + (one?.isFile() ? one.blocks * 512 : 0), 0);
}

async function fill(runner: RunnerName, extension: string, way: WayToFill) {
  const cwd = temporaryFolder({
    "skills/fill/SKILL.md": skillMd("fill"),
    [`skills/fill/scripts/fill.${extension}`]: way.script,
  });
  const folder = temporaryFolder();
  const limits = { files: LIMIT, time: 60_000, memory: 2 ** 30 };
  const skillset = await createSkillset(["./skills"], {
    cwd,
    scripts: { runner, folder, limits, consent: () => "once" },
  });
  const result = await (await skillset.session()).scripts.run("fill", `scripts/fill.${extension}`);
  const stdout = "stdout" in result ? result.stdout : "";
  return { name: way.name, outcome: result.outcome, held: mostHeld(stdout), kept: usedIn(folder), result };
}

function control(program: string, args: readonly string[], way: WayToFill): number {
  const folder = temporaryFolder({ "fill.mjs": way.script, "fill.py": way.script });
  const { PATH } = process.env;
  const env = { PATH, OUTPUT_DIR: temporaryFolder(), DENO_DIR: temporaryFolder() };
  const { stdout } = spawnSync(program, args, { cwd: folder, env, encoding: "utf8", timeout: 60_000 });
  return mostHeld(stdout);
}

function findDeno(): string {
  const require = createRequire(createRequire(import.meta.resolve("@skillset/sandbox")).resolve("deno/package.json"));
  return join(dirname(require.resolve(`@deno/${process.platform}-${process.arch}-glibc/package.json`)), "deno");
}

const hasBubblewrap = spawnSync("bwrap", ["--version"]).status === 0;

describe("ways to fill the disk", () => {
  test.skipIf(!hasBubblewrap)("in bubblewrap, the kernel bounds all of them", { timeout: 300_000 }, async () => {
    const ends = [];
    for (const way of SYSTEM_WAYS) ends.push(await fill("bubblewrap", "py", way));
    const through = ends.filter(({ held, kept }) => held > LIMIT + SPARE || kept > LIMIT + 500_000);
    const filled = SYSTEM_WAYS.filter((way) => control("python3", ["fill.py"], way) >= GOAL);
    report("S25", {
      tried: "scripts that fill the disk in bubblewrap",
      cases: ends.length,
      through: through.length,
      control: `${filled.length} of them hold 15 times their limit in a plain process`,
    });
    expect(through).toEqual([]);
    expect(ends.filter(({ result }) => result.outcome === "refused")).toEqual([]);
    expect(filled.map(({ name }) => name)).toEqual(SYSTEM_WAYS.map(({ name }) => name));
  });

  test.skipIf(process.platform !== "linux")(
    "in embedded, whoever exceeds the limit is stopped, or writes nothing",
    { timeout: 300_000 },
    async () => {
      const ends = [];
      for (const way of EMBEDDED_WAYS) ends.push(await fill("embedded", "mjs", way));
      const through = ends.filter(
        ({ outcome, held, kept }) => (outcome !== "output-limit" && held > LIMIT) || kept > LIMIT + 500_000,
      );
      const deno = findDeno();
      const rights = ["run", "--allow-all", "--location=http://localhost", "fill.mjs"];
      const filled = EMBEDDED_WAYS.filter((way) => control(deno, rights, way) >= GOAL);
      report("S25", {
        tried: "scripts that fill the disk in embedded",
        cases: ends.length,
        through: through.length,
        control: `${filled.length} of them do so in deno with its own folder`,
      });
      expect(through).toEqual([]);
      expect(filled.map(({ name }) => name)).toEqual(EMBEDDED_WAYS.map(({ name }) => name));
    },
  );
});

test.skipIf(!hasBubblewrap)("empty files do not fill the memory of the kernel", async () => {
  const script = (count: number): string =>
    `import os\nfor i in range(1, ${count} + 1):\n    open(os.environ['OUTPUT_DIR'] + '/%d' % i, 'w').close()\n    if i % 1_000 == 0: print('held', i, flush=True)\n`;
  const { outcome, held } = await fill("bubblewrap", "py", { name: "empty files", script: script(3_000_000) });
  const plain = control("python3", ["fill.py"], { name: "empty files", script: script(2 * MOST_EMPTY) });
  const through = outcome === "output-limit" && held < MOST_EMPTY ? 0 : 1;
  report("S25", {
    tried: "scripts that fill the disk in bubblewrap",
    cases: 1,
    through,
    control: `${plain.toLocaleString("en")} empty files fit in a plain process`,
  });
  expect(through).toBe(0);
  expect(plain).toBe(2 * MOST_EMPTY);
});

const MOST_EMPTY = 50_000;
