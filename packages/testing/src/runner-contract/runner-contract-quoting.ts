import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type RunnerAtWork, type RunnerScenario, withScript } from "./runner-contract-place.ts";

/** Texts that leave quotes, start commands or are expanded if a runner builds a command line in a careless way. */
const ATTACKS: readonly string[] = [
  "'; echo no >\"$OUTPUT_DIR/canary\"; '",
  '"; echo no >"$OUTPUT_DIR/canary"; "',
  "'\\''; echo no >\"$OUTPUT_DIR/canary\"; '\\''",
  '\\\'; echo no >"$OUTPUT_DIR/canary" #',
  '$(echo no >"$OUTPUT_DIR/canary")',
  '`echo no >"$OUTPUT_DIR/canary"`',
  '\n echo no >"$OUTPUT_DIR/canary"\n',
  '| echo no >"$OUTPUT_DIR/canary" &',
  "&& exit 9",
  "<(echo no) >(cat) <<<no <<E",
  `$'\\x41' $"no" $HOME \${HOME} $((1+1)) $$ $? $0 $@`,
  "*.sh ? [a-z]* {a,b} ~ ~root",
  "!! !$ ^a^b # not a comment",
  "a\\",
  "\\",
  "'",
  '"',
  "''",
  "",
  " ",
  "\t",
  "a\r\nb\rc",
  "%s %d %% \\n \\0 \\x41 \\c",
  "-n",
  "-",
  "--",
  "-c",
  "=a A=b",
  "grün 🍵 \u202e\u200b\u2028 \u{1f468}\u200d\u{1f469}\u200d\u{1f467}",
  "x".repeat(40_000),
  "'".repeat(2_000),
];

const SEPARATOR = "\n--end--\n";

/** Attacks on the way from a list of arguments to the script. */
export const quotingScenarios: readonly RunnerScenario[] = [
  {
    id: "quoted-args",
    title: "No argument leaves its place or is expanded, whatever it contains",
    run: (runner) => {
      const script = `for arg in "$@"; do printf '%s\\n--end--\\n' "$arg"; done >"$OUTPUT_DIR/args"\n`;
      return withScript(runner, { "args.sh": script }, async (atWork) => {
        // Runners fill in these names themselves.
        const args = ATTACKS.map((attack) => attack.replaceAll("$OUTPUT_DIR", "$OUTPUT_DIR_"));
        const folders = ATTACKS.filter((attack) => attack.includes("$OUTPUT_DIR"));
        await atWork.stdoutOf({ args });
        assert.deepEqual(readFileSync(join(atWork.outputFolder, "args"), "utf8").split(SEPARATOR), [...args, ""]);
        await atWork.stdoutOf({ args: folders });
        assertOnly(atWork, ["args"]);
      });
    },
  },
  {
    id: "quoted-stdin",
    title: "Input arrives as it is, whatever it contains",
    run: (runner) =>
      withScript(runner, { "read.sh": 'cat >"$OUTPUT_DIR/stdin"\n' }, async (atWork) => {
        const stdin = [...ATTACKS, "EOF", "E", "'EOF'", "x".repeat(200_000), "no line break at the end"].join("\n");
        await atWork.stdoutOf({ stdin });
        assert.equal(readFileSync(join(atWork.outputFolder, "stdin"), "utf8"), stdin);
        assertOnly(atWork, ["stdin"]);
      }),
  },
  {
    id: "quoted-names",
    title: "A script runs under its own name, whatever characters it has",
    run: async (runner) => {
      for (const name of NAMES)
        await withScript(runner, { [name]: 'echo "ran $1"\n' }, async (atWork) => {
          assert.equal(await atWork.stdoutOf({ args: ["one"] }), "ran one\n", name);
          assertOnly(atWork, []);
        });
    },
  },
  {
    id: "quoted-variables",
    title: "Variables of a script arrive as they are, and are not part of the reported command",
    run: (runner) => {
      const values = ATTACKS.filter((one) => one.length < 10_000);
      const names = values.map((_, index) => `SKILL_VALUE_${index}`);
      const list = names.map((name) => `"$${name}"`).join(" ");
      const script = `for value in ${list}; do printf '%s\\n--end--\\n' "$value"; done >"$OUTPUT_DIR/values"\n`;
      return withScript(runner, { "values.sh": script }, async (atWork) => {
        const env = Object.fromEntries(names.map((name, index) => [name, values[index] as string]));
        const end = await atWork.run({ env: { ...env, SKILL_KEY: "a key" } });
        assert.ok(end.outcome === "exited" && end.exitCode === 0, JSON.stringify(end));
        const arrived = readFileSync(join(atWork.outputFolder, "values"), "utf8").split(SEPARATOR);
        assert.deepEqual(arrived, [...values, ""]);
        assert.ok(!JSON.stringify(end.command).includes("a key"), "The command contains a variable.");
        assertOnly(atWork, ["values"]);
      });
    },
  },
];

const NAMES: readonly string[] = [
  `scripts/two "words" it's.sh`,
  "scripts/$(echo no >canary) `echo no` $HOME.sh",
  "scripts/a;b&c|d #e (f) ~.sh",
  "scripts/*?[a] {b,c} !d!.sh",
  "scripts/-n grün 🍵.sh",
  "-c.sh",
];

function assertOnly({ outputFolder }: RunnerAtWork, names: readonly string[]): void {
  assert.deepEqual(readdirSync(outputFolder), names, "A text was run as a command.");
}
