import { SkillError } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";

/** Compiles a glob over skill names: `*`, `?`, `[a-z]`, `[!a-z]` and `{one,two}`. Matching takes at most name × pattern steps. */
export function compileNameGlob(pattern: string): (name: string) => boolean {
  if (typeof pattern !== "string" || pattern === "") {
    const got = JSON.stringify(pattern);
    throw new SkillError("option-invalid", `A name pattern must be a string such as 'pdf-*', not ${got}.`);
  }
  if (!/[*?[{]/.test(pattern)) return (name) => name === pattern;
  const alternatives = expandBraces(pattern).map(toSteps);
  return (name) => alternatives.some((steps) => matches(steps, Array.from(name)));
}

/** `*`, or a test for one character. */
type Step = "*" | ((character: string) => boolean);

function expandBraces(pattern: string): string[] {
  let patterns = [pattern];
  for (;;) {
    const next = patterns.flatMap((one) => {
      const [whole, choices] = /\{([^{}]*)\}/.exec(one) ?? [];
      if (whole === undefined || choices === undefined) return [one];
      return choices.split(",").map((choice) => one.replace(whole, () => choice));
    });
    if (next.length > LIMITS.hard.globAlternatives)
      throw new SkillError("option-invalid", `'${pattern}' has too many alternatives.`);
    if (next.length === patterns.length && next.every((one, index) => one === patterns[index])) return patterns;
    patterns = next;
  }
}

function toSteps(pattern: string): Step[] {
  const steps: Step[] = [];
  for (const [part, not, set] of pattern.matchAll(/\[([!^]?)([^\][]+)\]|\*+|[\s\S]/gu)) {
    if (set !== undefined) {
      const ranges = [...set.matchAll(/([\s\S])-([\s\S])|([\s\S])/gu)].map(([, from, to, one]) => [
        from ?? one,
        to ?? one,
      ]);
      const isIn = (character: string): boolean =>
        ranges.some(([from = "", to = ""]) => character >= from && character <= to);
      steps.push(not ? (character) => !isIn(character) : isIn);
    } else if (part.startsWith("*")) steps.push("*");
    else if (part === "?") steps.push(() => true);
    else steps.push((character) => character === part);
  }
  return steps;
}

/** Uses two pointers and backtracks only to the last star. */
function matches(steps: readonly Step[], name: readonly string[]): boolean {
  let step = 0;
  let at = 0;
  let star = -1;
  let starAt = 0;
  while (at < name.length) {
    const wanted = steps[step];
    if (wanted === "*") {
      star = step++;
      starAt = at;
    } else if (wanted?.(name[at] as string)) {
      step++;
      at++;
    } else if (star !== -1) {
      step = star + 1;
      at = ++starAt;
    } else {
      return false;
    }
  }
  while (steps[step] === "*") step++;
  return step === steps.length;
}
