import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ScriptEnd, ScriptJob, ScriptRunner } from "skillset/scripts";

/**
 * A runner that starts no process. A script is a list of lines: `print TEXT`, `write PATH TEXT`, `exit CODE` and `hang`,
 * which lasts until the run is aborted. `print-args` prints the arguments, `print-env NAME` a variable, and
 * `write-env PATH NAME` writes one.
 */
export function testRunner(check?: string): ScriptRunner & { readonly jobs: ScriptJob[] } {
  const jobs: ScriptJob[] = [];
  return {
    level: "test",
    jobs,
    check: async () => check,
    run: async (job) => {
      jobs.push(job);
      return follow(job);
    },
  };
}

async function follow(job: ScriptJob): Promise<ScriptEnd> {
  const command = [job.script, ...job.args];
  let stdout = "";
  const print = (text: string): void => {
    stdout += text;
    job.onOutput({ stream: "stdout", text });
  };
  const path = join(job.skillFolder, job.script);
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  for (const line of lines) {
    const [word = "", first = "", ...rest] = line.split(" ");
    if (word === "print") print(`${[first, ...rest].join(" ")}\n`);
    if (word === "print-args") print(`${job.args.join("|")}\n`);
    if (word === "print-env") print(`${job.env?.[first] ?? "none"}\n`);
    if (word === "write") writeFileSync(join(job.outputFolder, JSON.parse(first)), rest.join(" "));
    if (word === "write-env")
      writeFileSync(join(job.outputFolder, JSON.parse(first)), job.env?.[rest.join()] ?? "none");
    if (word === "exit") return { outcome: "exited", exitCode: Number(first), command, stdout, stderr: "" };
    if (word !== "hang") continue;
    await new Promise<void>((resolve) => job.signal.addEventListener("abort", () => resolve()));
    return { outcome: "aborted", command, stdout, stderr: "" };
  }
  return { outcome: "exited", exitCode: 0, command, stdout, stderr: "" };
}
