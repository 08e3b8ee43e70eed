import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { type RunnerScenario, withScript } from "./runner-contract-place.ts";

const HOSTILE: Readonly<Record<string, string>> = {
  PLAIN_KEY: "canary-5d1e",
  QUOTES_KEY: `"a" 'b' \`c\``,
  LINES_KEY: "first\nsecond\n\nlast",
  SHELL_KEY: "$(echo no) $HOME ; exit 9 #",
  EQUALS_KEY: "a=b=c==",
  WORDS_KEY: "grün 🍵 %s \\n *",
};

/** Prints the values one after the other, each between brackets. */
const PRINT = {
  shell: Object.keys(HOSTILE)
    .map((name) => `printf '<%s>' "$${name}"\n`)
    .join(""),
  python: `import os, sys\nfor name in sys.argv[1:]:\n    sys.stdout.write("<" + os.environ[name] + ">")\n`,
  javascript: `import process from "node:process";\nprocess.stdout.write(process.argv.slice(2).map((name) => "<" + process.env[name] + ">").join(""));\n`,
};

const EXPECTED = Object.values(HOSTILE)
  .map((value) => `<${value}>`)
  .join("");

/** What a script gets in its environment for itself alone. */
export const variableScenarios: readonly RunnerScenario[] = [
  {
    id: "variables",
    title: "Variables arrive as they are, whatever a shell would do with them",
    run: (runner) =>
      withScript(runner, { "print.sh": PRINT.shell }, async ({ stdoutOf }) => {
        assert.equal(await stdoutOf({ env: HOSTILE }), EXPECTED);
      }),
  },
  {
    id: "variables-python",
    title: "A Python script has the variables in os.environ",
    needs: ["python"],
    run: (runner) =>
      withScript(runner, { "print.py": PRINT.python }, async ({ stdoutOf }) => {
        assert.equal(await stdoutOf({ env: HOSTILE, args: Object.keys(HOSTILE) }), EXPECTED);
      }),
  },
  {
    id: "variables-javascript",
    title: "A JavaScript module has the variables in process.env",
    needs: ["javascript"],
    run: (runner) =>
      withScript(runner, { "print.mjs": PRINT.javascript }, async ({ stdoutOf }) => {
        assert.equal(await stdoutOf({ env: HOSTILE, args: Object.keys(HOSTILE) }), EXPECTED);
      }),
  },
  {
    id: "variables-end",
    title: "The next script does not have the variables of the one before",
    run: (runner) =>
      withScript(runner, { "print.sh": 'printf "<%s>" "$PLAIN_KEY"\n' }, async ({ stdoutOf }) => {
        assert.equal(await stdoutOf({ env: HOSTILE }), "<canary-5d1e>");
        assert.equal(await stdoutOf(), "<>");
      }),
  },
  {
    id: "variables-cannot-replace",
    title: "Variables cannot replace those that every script has",
    run: (runner) =>
      withScript(runner, { "print.sh": 'printf "%s" "$PATH $HOME $OUTPUT_DIR $SKILL_DIR"\n' }, async ({ stdoutOf }) => {
        const names = ["PATH", "HOME", "OUTPUT_DIR", "SKILL_DIR"];
        const env = Object.fromEntries(names.map((name) => [name, "/replaced"]));
        assert.doesNotMatch(await stdoutOf({ env }), /replaced/);
      }),
  },
  {
    id: "variables-on-command-line",
    title: "No command line on the machine and no part of the result contains a value",
    run: (runner) =>
      withScript(runner, { "wait.sh": 'echo "started"; sleep 0.5\n' }, async ({ run }) => {
        const seen: string[] = [];
        const timer = setInterval(() => seen.push(...commandLines()), 20);
        const end = await run({ env: { PLAIN_KEY: "canary-5d1e" } });
        clearInterval(timer);
        assert.ok(process.platform !== "linux" || seen.length > 0, "No command line was read.");
        assert.ok(!seen.some((line) => line.includes("canary-5d1e")), "A command line contains the value.");
        assert.ok(!JSON.stringify(end).includes("canary-5d1e"), JSON.stringify(end));
      }),
  },
];

/** The command lines of all processes. Linux only. */
function commandLines(): readonly string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return [readFileSync(`/proc/${name}/cmdline`, "utf8")];
    } catch {
      return [];
    }
  });
}
