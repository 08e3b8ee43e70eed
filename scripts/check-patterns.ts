// Fails if a regular expression in the sources can take more than linear time. Whether it can is decided by recheck; what
// recheck cannot decide is tried with texts that are made for it.
import { globSync } from "node:fs";
import { findPatterns, type Pattern } from "./patterns/find-patterns.ts";
import { findSlowText } from "./patterns/is-linear.ts";

/** The same results on every machine: recheck would start a native program or Java if it found one. */
process.env.RECHECK_BACKEND = "pure";
const { checkSync } = await import("recheck");

const SOURCES = ["packages/*/src/**/*.ts", "apps/chat/{server,web,shared}/**/*.{ts,tsx}"];
const LEFT_OUT = /\.test\.tsx?$|\.d\.ts$|\/testing\/|\/node_modules\/|\/dist\//;
/** Patterns that recheck decides take a few milliseconds. */
const TIMEOUT = 200;

/** Patterns that are not linear, and why their text is short. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "/\\B(?=(?:\\d{3})+$)/g": "the digits of a number: at most 22 characters",
};

const files = SOURCES.flatMap((pattern) => globSync(pattern)).filter((file) => !LEFT_OUT.test(file));
const patterns = Map.groupBy(
  files.sort().flatMap((file) => findPatterns(file)),
  ({ source, flags }) => `/${source}/${flags}`,
);
let [tried, slow] = [0, 0];
for (const [text, places] of patterns) {
  const reason = EXCEPTIONS[text] === undefined ? whyNotLinear(places[0] as Pattern) : undefined;
  if (reason === undefined) continue;
  slow++;
  for (const { place } of places) console.error(`${place}: ${text}\n  ${reason}`);
}
for (const text of Object.keys(EXCEPTIONS)) {
  if (patterns.has(text)) continue;
  slow++;
  console.error(`${text} is an exception, but not in the sources.`);
}
const exceptions = Object.keys(EXCEPTIONS).length;
console.log(`${patterns.size} patterns in ${files.length} files: ${tried} tried with texts, ${exceptions} exceptions`);
if (slow > 0) console.error(`${slow} patterns to change: they may take more than linear time.`);
process.exitCode = slow === 0 ? 0 : 1;

function whyNotLinear({ source, flags }: Pattern): string | undefined {
  const found = decide(source, flags);
  if (found?.status === "safe") return undefined;
  if (found?.status === "vulnerable") return `${found.complexity.summary}, with ${found.attack.pattern}`;
  tried++;
  const parts = findSlowText({ source, flags });
  return parts && `slow with the start, the repeated part and the end ${parts}`;
}

/** Undefined for expressions that recheck cannot parse. */
function decide(source: string, flags: string) {
  try {
    return checkSync(source, flags, { checker: "automaton", timeout: TIMEOUT });
  } catch {
    return undefined;
  }
}
