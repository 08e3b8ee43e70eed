// Fails on phrases that readers stumble over, in docs, messages, comments and test titles.
//
//   npm run words               checks every file that Git knows
//   npm run words -- --shrink   lowers the counts in words-left.json after phrases were reworded
//   npm run words -- --accept   rewrites words-left.json with what the files contain now, for use after a merge
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

/** A space in a phrase also matches a line break, with the comment or quote marker of the next line. */
const PHRASES: readonly (readonly [phrase: string, instead: string])[] = [
  ["mend(s|ed|ing)?", "fix, repair"],
  ["com(es?|ing) by", "get, install"],
  ["what became of", "the status of, the result of"],
  ["on offer", "available, listed"],
  ["the usual", "the default"],
  ["stands?|stood", "name the relation: is, precedes, remains valid, represents"],
  ["of (its|their|his|your|our|one's) own", "its own X, a separate X"],
  ["(is|are|was|were) said", "is reported, is logged, the error says"],
  ["to be told", "to receive, to get"],
  ["tells?", "reports, returns, shows, asks"],
  ["gives", "returns, provides, passes"],
  ["is there", "exists, is installed, is available"],
  ["makes? of it", "returns, parses it as"],
  ["will do(?=[,.;:)])", "works, is enough"],
  ["the very", "the same, or nothing"],
  ["the other way round", "describe the second case"],
  ["(has|have|had) not to", "must not, need not"],
  ["(with|in|by) (a|one) sentence", "with an error, with a readable message"],
  ["in no \\w+'s shape", "SDK-neutral"],
  ["(is|are) no \\w+'s", "is not a"],
  ["leads nowhere", "does not exist"],
  ["stays away", "is discarded, is left out"],
  ["who wants", "clients that, to do X"],
  ["never (is|are|does|do) (it|they)", "it is never, they never"],
  ["go(es)? on|gone on|went on", "continues, keeps running"],
  ["for ever", "forever, without an end"],
  ["all the same", "anyway, nevertheless"],
];

const GAP = "\\s+(?:(?://+|\\*|#+|>)\\s+)?";
const PATTERNS = PHRASES.map(([phrase, instead]) => ({
  pattern: new RegExp(`\\b(?:${phrase.replaceAll(" ", GAP)})(?!\\w)`, "gi"),
  instead,
}));

const CHECKED = /\.(md|tsx?|m?js|cjs|toml|ya?ml|html|css|sh)$|(^|\/)(Dockerfile|run)$/;
/** Input for the tests, and the files that have to contain the phrases. */
const LEFT_OUT = /^test\/fixtures\/|^scripts\/check-words(\.test)?\.ts$/;
/** How many phrases a file may still contain; counts only go down. */
const LIST = "scripts/words-left.json";

interface Finding {
  readonly file: string;
  readonly line: number;
  readonly phrase: string;
  readonly instead: string;
}

const { values: flags } = parseArgs({ options: { shrink: { type: "boolean" }, accept: { type: "boolean" } } });
const allowed: Readonly<Record<string, number>> = existsSync(LIST) ? JSON.parse(readFileSync(LIST, "utf8")) : {};
const found = new Map(listFiles().map((file) => [file, findPhrases(file)]));
const limits = flags.accept || flags.shrink ? rewriteList() : allowed;
process.exitCode = check() ? 0 : 1;

function listFiles(): readonly string[] {
  const names = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    encoding: "utf8",
  });
  const isChecked = (file: string): boolean => CHECKED.test(file) && !LEFT_OUT.test(file) && existsSync(file);
  return [...new Set(names.split("\0"))].filter(isChecked).sort();
}

function findPhrases(file: string): readonly Finding[] {
  const text = readFileSync(file, "utf8");
  return PATTERNS.flatMap(({ pattern, instead }) =>
    [...text.matchAll(pattern)].map(({ index, 0: phrase }) => ({
      file,
      line: text.slice(0, index).split("\n").length,
      phrase: phrase.replace(/\s+/g, " "),
      instead,
    })),
  ).sort((a, b) => a.line - b.line);
}

/** `--shrink` lowers counts and never raises one. */
function rewriteList(): Readonly<Record<string, number>> {
  const rows = [...found].map(([file, { length }]) => {
    const limit = flags.accept ? length : Math.min(length, allowed[file] ?? 0);
    return [file, limit] as const;
  });
  const list = Object.fromEntries(rows.filter(([, limit]) => limit > 0));
  writeFileSync(LIST, `${JSON.stringify(list, null, 2)}\n`);
  return list;
}

function check(): boolean {
  let isGood = true;
  const fail = (...lines: readonly string[]): void => {
    isGood = false;
    console.error(lines.join("\n"));
  };
  for (const file of new Set([...found.keys(), ...Object.keys(limits)])) {
    const findings = found.get(file) ?? [];
    const limit = limits[file] ?? 0;
    if (findings.length > limit) {
      const lines = findings.map(({ line, phrase, instead }) => `${file}:${line}: '${phrase}': write ${instead}`);
      fail(...lines, `${file} contains ${findings.length} of these phrases, and ${LIST} allows ${limit}.`, "");
    } else if (findings.length < limit) {
      fail(
        `${file} contains ${findings.length} phrases, and ${LIST} still allows ${limit}. Run "npm run words -- --shrink".`,
      );
    }
  }
  return isGood;
}
