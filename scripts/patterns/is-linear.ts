import { createContext, Script } from "node:vm";
import type { Pattern } from "./find-patterns.ts";
import { samplesOf } from "./sample-text.ts";

/**
 * A pattern that is slow with few repetitions is tried again with many: another program may have slowed it down. A linear
 * pattern needs a hundredth of these times. One that is not needs several times as long.
 */
const FIRST = { times: 16_000, deadline: 15 };
const SECOND = { times: 100_000, deadline: 1_000 };
const MOST_PUMPS = 60;

/**
 * Looks for a text on which a pattern takes more than linear time, in the way that attackers do: a start, a part that is
 * repeated, and an end that does not match. The parts are made from the pattern. Returns the parts of such a text.
 */
export function findSlowText({ source, flags }: Pick<Pattern, "source" | "flags">): string | undefined {
  const context = createContext({ text: "" });
  const script = new Script(`{ const pattern = new RegExp(${JSON.stringify(source)}, ${JSON.stringify(flags)});
    if (pattern.global) text.replace(pattern, ""); else pattern.test(text); }`);
  const isSlow = ([start, pump, end]: Parts, { times, deadline }: typeof FIRST): boolean => {
    context.text = start + pump.repeat(times) + end;
    try {
      script.runInContext(context, { timeout: deadline });
      return false;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return true;
      throw error;
    }
  };
  const slow = partsFor(source, flags).find((parts) => isSlow(parts, FIRST) && isSlow(parts, SECOND));
  return slow && JSON.stringify(slow);
}

type Parts = readonly [start: string, pump: string, end: string];

function partsFor(source: string, flags: string): readonly Parts[] {
  const samples = samplesOf(source, flags);
  const before = (index: number): string => joined(samples.slice(0, index));
  const pumps: (readonly [start: string, pump: string])[] = [];
  for (const [index, { text, isRepeated }] of samples.entries()) {
    if (isRepeated) pumps.push([before(index), text]);
    pumps.push(["", before(index + 1)], ["", `${before(index + 1)}\n`]);
  }
  const starts = ["", ...samples.flatMap(({ isRepeated }, index) => (isRepeated ? [before(index)] : []))].slice(0, 4);
  const digit = source.includes("\\d") ? ["1"] : [];
  const characters = [...new Set(["a", " ", "\n", ...digit, ...joined(samples)])].slice(0, 10);
  const pairs = characters.flatMap((first) => characters.map((second) => (first === second ? first : first + second)));
  for (const pair of pairs) for (const start of starts) pumps.push([start, pair]);
  // Spread over all of them, if there are too many.
  const step = Math.max(1, pumps.length / (4 * MOST_PUMPS));
  const chosen = pumps.filter(
    (_, index) => index < MOST_PUMPS || Math.floor(index / step) !== Math.floor((index - 1) / step),
  );
  return chosen
    .filter(([, pump]) => pump !== "")
    .flatMap(([start, pump]) => ["", "\0", "\n\0"].map((end): Parts => [start, pump, end]));
}

function joined(samples: readonly { readonly text: string }[]): string {
  return samples.map(({ text }) => text).join("");
}
