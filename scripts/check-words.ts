// Fails on phrases that readers stumble over, in docs, messages, comments and test titles.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

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
const LEFT_OUT =
  /^test\/fixtures\/|^scripts\/check-words(\.test)?\.ts$|^apps\/chat\/server\/models\/offline\/content-words\.ts$/;

interface Finding {
  readonly file: string;
  readonly line: number;
  readonly phrase: string;
  readonly instead: string;
}

const findings = listFiles().flatMap(findPhrases);
for (const { file, line, phrase, instead } of findings) console.error(`${file}:${line}: '${phrase}': write ${instead}`);
if (findings.length > 0) console.error(`${findings.length} phrases to reword.`);
process.exitCode = findings.length === 0 ? 0 : 1;

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
