import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RunnerScenario, withScript } from "./runner-contract-place.ts";

// The brackets are outside of the format: some shells answer an argument `--help` of any command.
const PRINT_ARGS = 'for arg in "$@"; do printf "%s\\n" "<$arg>"; done\n';

/** What a script receives. */
export const inputScenarios: readonly RunnerScenario[] = [
  {
    id: "check",
    title: "The runner's own test passes, and it has a level",
    run: async ({ runner }) => {
      assert.equal(await runner.check(), undefined);
      assert.match(runner.level, /^\S+$/);
    },
  },
  {
    id: "args",
    title: "Arguments arrive as they are, whatever a shell would do with them",
    run: (runner) =>
      withScript(runner, { "scripts/args.sh": PRINT_ARGS }, async ({ stdoutOf }) => {
        const hostile = ["", "two  words", `"a" 'b'`, "line\nbreak", "$(echo no) `echo no` $HOME", "; exit 9"];
        const args = [...hostile, "-e", "--", "--version", "--help", "-h", "*", "a\\nb", "grün 🍵", "%s", "~"];
        assert.equal(await stdoutOf({ args }), args.map((arg) => `<${arg}>\n`).join(""));
      }),
  },
  {
    id: "folders-in-args",
    title: "$OUTPUT_DIR and $SKILL_DIR in arguments become the folders that the script sees",
    run: (runner) => {
      const script = 'printf "%s\\n" "$OUTPUT_DIR" "$SKILL_DIR"; printf "%s\\n" "$@"\n';
      return withScript(runner, { "args.sh": script }, async ({ stdoutOf }) => {
        const args = ["$OUTPUT_DIR", `\${SKILL_DIR}`, "--to=$OUTPUT_DIR/a b", "$OUTPUT_DIRECTORY"];
        const [output, skill, ...filled] = (await stdoutOf({ args })).trimEnd().split("\n");
        assert.deepEqual(filled, [output, skill, `--to=${output}/a b`, "$OUTPUT_DIRECTORY"]);
      });
    },
  },
  {
    id: "stdin",
    title: "The script reads its input from stdin, and nothing if there is none",
    run: (runner) =>
      withScript(runner, { "read.sh": 'cat; echo "end"\n' }, async ({ stdoutOf }) => {
        const stdin = `${JSON.stringify({ text: "grün 🍵", list: [1, 2] })}\n`;
        assert.equal(await stdoutOf({ stdin }), `${stdin}end\n`);
        assert.equal(await stdoutOf(), "end\n");
      }),
  },
  {
    id: "unread-stdin",
    title: "A script may ignore its input",
    run: (runner) =>
      withScript(runner, { "ignore.sh": "echo done\n" }, async ({ stdoutOf }) => {
        assert.equal(await stdoutOf({ stdin: "x".repeat(500_000) }), "done\n");
      }),
  },
  {
    id: "folder",
    title: "The script starts in the skill's folder, wherever it is in there",
    run: (runner) => {
      const script = '[ "$(pwd)" = "$SKILL_DIR" ] && cat data/tea.txt "$SKILL_DIR/data/tea.txt"\n';
      const files = { "scripts/deep/read.sh": script, "data/tea.txt": "Green.\n" };
      return withScript(runner, files, async ({ stdoutOf }) => {
        assert.equal(await stdoutOf(), "Green.\nGreen.\n");
      });
    },
  },
  {
    id: "environment",
    title: "The script has the promised variables, and none of the host",
    run: (runner) =>
      withScript(runner, { "env.sh": "env\n" }, async ({ stdoutOf }) => {
        process.env.SKILLSET_CONTRACT_SECRET = "canary";
        try {
          const names = (await stdoutOf())
            .trimEnd()
            .split("\n")
            .map((line) => line.replace(/=.*/, ""));
          const expected = ["HOME", "LANG", "OUTPUT_DIR", "PATH", "SKILL_DIR", "TMPDIR"];
          assert.deepEqual(names.filter((name) => !OF_THE_SHELL.has(name)).sort(), expected);
        } finally {
          delete process.env.SKILLSET_CONTRACT_SECRET;
        }
      }),
  },
  {
    id: "temporary-files",
    title: "The script can write temporary files, and they are not results",
    run: (runner) => {
      const script = 'echo leaf >"$TMPDIR/a" && cat "$TMPDIR/a" && ls "$OUTPUT_DIR"\n';
      return withScript(runner, { "temporary.sh": script }, async ({ stdoutOf }) => {
        assert.equal(await stdoutOf(), "leaf\n");
      });
    },
  },
  {
    id: "files",
    title: "Files that the script writes are in the output folder, and it reads those of earlier runs",
    run: (runner) => {
      const script = 'cat "$OUTPUT_DIR/before.txt"; mkdir "$OUTPUT_DIR/a"; echo new >"$OUTPUT_DIR/a/after.txt"\n';
      return withScript(runner, { "write.sh": script }, async ({ outputFolder, stdoutOf }) => {
        writeFileSync(join(outputFolder, "before.txt"), "old\n", { mode: 0o600 });
        assert.equal(await stdoutOf(), "old\n");
        assert.equal(readFileSync(join(outputFolder, "a/after.txt"), "utf8"), "new\n");
      });
    },
  },
  {
    id: "refused-args",
    title: "An argument with a NUL character is refused with a readable message",
    run: (runner) =>
      withScript(runner, { "args.sh": PRINT_ARGS }, async ({ run }) => {
        const end = await run({ args: ["a\0b"] });
        assert.equal(end.outcome, "refused");
        assert.match(end.reason, /^[^\n]+\.$/);
      }),
  },
];

/** Variables that shells set themselves. */
const OF_THE_SHELL: ReadonlySet<string> = new Set(["PWD", "OLDPWD", "SHLVL", "_"]);
