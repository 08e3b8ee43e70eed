import { chmodSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../../test/temporary-folder.ts";
import type { ScriptRunner } from "../../core/script/script.ts";
import { bubblewrap } from "./bubblewrap.ts";
import { container } from "./container.ts";
import { remote } from "./remote/remote.ts";
import { sandboxRuntime } from "./sandbox-runtime.ts";
import { subprocess } from "./subprocess.ts";

const hasSandbox = (await bubblewrap().check()) === undefined;

const SCRIPTS = {
  "a.py": "import words\nprint(words.HELLO)\n",
  "a.cjs": "console.log(require('loud'));\n",
  "a.mjs": "import loud from 'loud';\nconsole.log(loud);\n",
};

async function run(runner: ScriptRunner, script: keyof typeof SCRIPTS, isPrepared = true) {
  const folder = temporaryFolder({
    [`skill/${script}`]: SCRIPTS[script],
    "packages/python/words.py": "HELLO = 'hello'\n",
    "packages/node_modules/loud/index.js": "module.exports = 'hello';\n",
  });
  mkdirSync(join(folder, "output"));
  chmodSync(folder, 0o755);
  return runner.run({
    skillFolder: join(folder, "skill"),
    outputFolder: join(folder, "output"),
    ...(isPrepared && { packagesFolder: join(folder, "packages") }),
    script,
    args: [],
    limits: { time: 20_000, output: 10_000, memory: 2 ** 29, processes: 64, files: 1_000_000 },
    signal: new AbortController().signal,
    onOutput: () => {},
  });
}

test.skipIf(!hasSandbox).each(["a.py", "a.cjs", "a.mjs"] as const)(
  "bubblewrap: %s finds prepared packages",
  async (script) => {
    expect(await run(bubblewrap(), script)).toMatchObject({ exitCode: 0, stdout: "hello\n" });
    expect(await run(bubblewrap(), script, false)).toMatchObject({ exitCode: 1 });
  },
);

test.each(["a.py", "a.cjs"] as const)("subprocess: %s finds prepared packages", async (script) => {
  expect(await run(subprocess(), script)).toMatchObject({ exitCode: 0, stdout: "hello\n" });
  expect(await run(subprocess(), script, false)).toMatchObject({ exitCode: 1 });
});

test("subprocess: an ES module does not find them, as the docs say", async () => {
  expect(await run(subprocess(), "a.mjs")).toMatchObject({ exitCode: 1 });
});

const unused = async (): Promise<never> => expect.unreachable();
const MACHINE = { run: unused, readFile: unused, writeBinaryFile: unused };

test.each<ScriptRunner>([sandboxRuntime(), container({ image: "a" }), remote(MACHINE)])(
  "$level cannot use packages, as the docs say",
  (runner) => {
    expect(runner).not.toHaveProperty("platform");
    expect(runner).not.toHaveProperty("prepare");
    const docs = readFileSync(new URL("../../../../../docs/scripts.md", import.meta.url), "utf8");
    const row = docs.split("\n").find((line) => /^\|.*\| cannot use packages/.test(line));
    expect(row).toContain(`\`${runner.level}\``);
  },
);
