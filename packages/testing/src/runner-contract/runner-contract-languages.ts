import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ContractScript, RunnerCapability, RunnerScenario } from "./runner-contract-place.ts";
import { withScript } from "./runner-contract-place.ts";

const PYTHON = `import json, os, sys
data = json.load(sys.stdin)
with open(os.path.join(os.environ["OUTPUT_DIR"], "out.txt"), "w") as file:
    file.write("written")
print(json.dumps({"args": sys.argv[1:], "cups": data["cups"] + 1}))
sys.exit(7)
`;

const JAVASCRIPT = `import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
const data = JSON.parse(readFileSync(0, "utf8"));
writeFileSync(process.env.OUTPUT_DIR + "/out.txt", "written");
console.log(JSON.stringify({ args: process.argv.slice(2), cups: data.cups + 1 }));
process.exitCode = 7;
`;

/** Which program runs a script. */
export const languageScenarios: readonly RunnerScenario[] = [
  language("python", "python", { "scripts/a.py": PYTHON }),
  language("python-first-line", "python", { "scripts/a": `#!/usr/bin/env python3\n${PYTHON}` }),
  language("javascript", "javascript", { "scripts/a.mjs": JAVASCRIPT }),
  language("typescript", "typescript", {
    "scripts/a.ts": `${JAVASCRIPT}const cups: number = data.cups;\nvoid cups;\n`,
    "package.json": '{ "type": "module" }',
  }),
  {
    id: "first-line",
    title: "Without a known extension, the first line of the script decides",
    run: async (runner) => {
      for (const line of ["#!/bin/sh", "#! /bin/sh -e", "#!/usr/bin/env sh", "#!/usr/bin/env -S bash -e"])
        await withScript(runner, { "scripts/tool": `${line}\necho ran\n` }, async ({ stdoutOf }) => {
          assert.equal(await stdoutOf(), "ran\n", line);
        });
    },
  },
  refused("unknown-extension", "A script in an unknown language", { "scripts/a.xyz": "echo ran\n" }, /a\.xyz/),
  refused("no-extension", "A script without extension and first line", { "scripts/tool": "echo ran\n" }, /tool/),
  {
    id: "missing-program",
    title: "A script whose program is not installed is refused with the program's name",
    run: (runner) =>
      withScript(runner, { "scripts/a.rb": "puts 1\n" }, async ({ run, outputFolder }) => {
        const path = process.env.PATH;
        process.env.PATH = outputFolder;
        try {
          const end = await run();
          assert.ok(end.outcome === "refused", JSON.stringify(end));
          assert.match(end.reason, /^[^\n]*ruby[^\n]*\.$/i);
        } finally {
          process.env.PATH = path;
        }
      }),
  },
];

function language(id: string, needs: RunnerCapability, files: ContractScript): RunnerScenario {
  return {
    id,
    title: `${Object.keys(files)[0]} in ${needs} reads its arguments and input, and writes a file`,
    needs: [needs],
    run: (runner) =>
      withScript(runner, files, async ({ run, outputFolder }) => {
        const end = await run({ args: ["a b", "$(no)"], stdin: '{"cups":1}\n' });
        assert.ok(end.outcome === "exited", JSON.stringify(end));
        assert.deepEqual([end.exitCode, end.stderr], [7, ""]);
        assert.deepEqual(JSON.parse(end.stdout), { args: ["a b", "$(no)"], cups: 2 });
        assert.equal(readFileSync(join(outputFolder, "out.txt"), "utf8"), "written");
      }),
  };
}

function refused(id: string, what: string, files: ContractScript, named: RegExp): RunnerScenario {
  return {
    id,
    title: `${what} is refused with a readable message that names it`,
    run: (runner) =>
      withScript(runner, files, async ({ run, skillFolder }) => {
        const end = await run();
        assert.ok(end.outcome === "refused", JSON.stringify(end));
        assert.match(end.reason, /^[^\n]+\.$/);
        assert.match(end.reason, named);
        assert.ok(!end.reason.includes(skillFolder), "The reason contains a path of the host.");
      }),
  };
}
