import { code, prose } from "./markdown.ts";
import type { PastCall } from "./read-request.ts";

/** A path that the instructions ask for although reading it must fail, and a part of the message that they expect. */
export interface ExpectedRefusal {
  readonly path: string;
  readonly message: string;
}

/** The rows of tables with the columns `path` and `refusal`, or `error`. */
export function expectedRefusals(body: string): readonly ExpectedRefusal[] {
  const found: ExpectedRefusal[] = [];
  let isTable = false;
  for (const line of body.split("\n")) {
    const cells = line.split("|").map((cell) => cell.trim());
    if (cells.length !== 4) isTable = false;
    else if (/^path$/i.test(cells[1] ?? "")) isTable = /^(?:refusal|error)$/i.test(cells[2] ?? "");
    else if (isTable) {
      const [, path] = /^`([^`]+)`$/.exec(cells[1] ?? "") ?? [];
      if (path !== undefined) found.push({ path, message: cells[2] ?? "" });
    }
  }
  return found.slice(0, MOST_PATHS);
}

/** Paths that the instructions ask to read in another spelling than that of the skill's list of files. */
export function spelledPaths(body: string, files: readonly string[]): readonly string[] {
  const spelled = Array.from(body.matchAll(/\bread `([^`\s]{1,200})`/gi), ([, path = ""]) => path);
  return spelled.filter((path) => path.includes("/../") && !files.includes(path)).slice(0, MOST_PATHS);
}

const MOST_PATHS = 8;

/** One line for each refusal, and a verdict; empty if the instructions expect none. */
export function describeRefusals(expected: readonly ExpectedRefusal[], reads: readonly PastCall[]): readonly string[] {
  if (expected.length === 0) return [];
  const lines = expected.map(({ path, message }) => {
    const result = reads.find(({ input }) => input.path === path)?.result;
    const isRefused = result?.isError === true && result.text.toLowerCase().includes(message.toLowerCase());
    const told = result === undefined ? "not requested" : result.isError ? prose(result.text, 300) : "it was read";
    return { isRefused, line: `- ${code(path)}: ${isRefused ? "refused" : "**not refused as expected**"}: ${told}` };
  });
  const refused = lines.filter(({ isRefused }) => isRefused).length;
  return [
    "The instructions name paths that must be refused:",
    lines.map(({ line }) => line).join("\n"),
    `Verdict: ${refused === expected.length ? "passed" : "failed"}, ${refused} of ${expected.length} refused.`,
  ];
}
