import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export type ChildRun =
  | {
      readonly outcome: "finished";
      readonly milliseconds: number;
      readonly peakBytes: number;
      readonly lastLine: string;
    }
  | { readonly outcome: "failed"; readonly reason: string };

export type RunChildOptions = {
  readonly discardOutput?: boolean;
  /** In milliseconds. */
  readonly timeout?: number;
};

const repository = fileURLToPath(new URL("..", import.meta.url));
const reportUsage = fileURLToPath(new URL("./report-usage.cjs", import.meta.url));

/** Runs a script in a separate Node process and measures it from start to end. */
export function runChild(
  args: readonly string[],
  { discardOutput = false, timeout = 120_000 }: RunChildOptions = {},
): ChildRun {
  const start = performance.now();
  const child = spawnSync(process.execPath, ["--require", reportUsage, ...args], {
    encoding: "utf8",
    stdio: ["ignore", discardOutput ? "ignore" : "pipe", "pipe"],
    maxBuffer: 64 * 1024 * 1024,
    timeout,
  });
  const milliseconds = performance.now() - start;
  if (child.error) return { outcome: "failed", reason: child.error.message };
  if (child.status !== 0) return { outcome: "failed", reason: firstErrorLine(child.stderr) || `exit ${child.status}` };
  return {
    outcome: "finished",
    milliseconds,
    peakBytes: Number(/^peak-memory (\d+)$/m.exec(child.stderr)?.[1]),
    lastLine: child.stdout?.trim().split("\n").at(-1) ?? "",
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

/** Node prints where an uncaught error was thrown before its message. */
function firstErrorLine(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("peak-memory"));
  const line = lines.find((line) => /^\w*Error\b/.test(line)) ?? lines[0] ?? "";
  return line.replaceAll(repository, "");
}
