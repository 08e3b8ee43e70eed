import { execFile } from "node:child_process";
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { folderSize } from "./folder-size.ts";
import { type ProcessJob, runProcess } from "./run-process.ts";

const LIMITS = { time: 20_000, output: 1_000_000, memory: 2 ** 30, processes: 64, files: 1_000_000 };

function job(command: ProcessJob["command"], changes: Partial<ProcessJob> = {}): ProcessJob {
  const signal = new AbortController().signal;
  const env = { PATH: process.env.PATH ?? "" };
  return { command, cwd: temporaryFolder(), env, limits: LIMITS, signal, onOutput: () => {}, ...changes };
}

describe("a program that cannot be started is refused without a path", () => {
  test.each<[string, ProcessJob["command"], string]>([
    ["missing", ["/secret/place/program"], "The program 'program' cannot be started: it is not installed."],
    ["not executable", ["/etc/passwd"], "The program 'passwd' cannot be started: permission denied."],
    [
      "argument too long",
      ["true", "x".repeat(3_000_000)],
      "The program 'true' cannot be started: the arguments are too long.",
    ],
    ["NUL character", ["true", "a\0"], "The program 'true' cannot be started: an argument contains a NUL character."],
  ])("%s", async (_, command, reason) => {
    expect(await runProcess(job(command))).toEqual({ outcome: "refused", reason });
  });
});

test("the result has another command if one is given", async () => {
  const end = await runProcess(job(["true", "secret"], { shownCommand: ["shown"] }));
  expect(end).toEqual({ outcome: "exited", exitCode: 0, command: ["shown"], stdout: "", stderr: "" });
});

test("output is cut at the limit, without a part of a character", async () => {
  const limits = { ...LIMITS, output: 4 };
  expect(await runProcess(job(["printf", "aüüü"], { limits }))).toMatchObject({
    outcome: "output-limit",
    stdout: "aü",
  });
  expect(await runProcess(job(["printf", "abcd"], { limits }))).toMatchObject({ outcome: "exited", stdout: "abcd" });
});

test("a program can report its status on file descriptor 3", async () => {
  let status = "";
  const onStatus = (text: string): void => {
    status += text;
  };
  await runProcess(job(["sh", "-c", "echo ready >&3"], { onStatus }));
  expect(status).toBe("ready\n");
});

test.runIf(process.platform === "linux")("a program does not inherit files of this process", async () => {
  const program = `
    import { runProcess } from ${JSON.stringify(new URL("./run-process.ts", import.meta.url).href)};
    const limits = ${JSON.stringify(LIMITS)};
    const command = ["sh", "-c", "for fd in /proc/self/fd/*; do readlink $fd; done"];
    const env = { PATH: process.env.PATH };
    const end = await runProcess({ command, cwd: "/", env, limits, signal: new AbortController().signal, onOutput() {} });
    console.log(end.stdout);`;
  const file = join(temporaryFolder({ "secret.txt": "x" }), "secret.txt");
  // The number is so high that Node does not close it.
  const shell = `exec 98<"$1"; exec "$2" --input-type=module -e "$3"`;
  const { stdout } = await promisify(execFile)("bash", ["-c", shell, "bash", file, process.execPath, program]);
  expect(stdout).toContain("/dev/null");
  expect(stdout).not.toContain("secret.txt");
});

describe("the size of a folder", () => {
  test("counts files in all its folders", async () => {
    const folder = temporaryFolder({ a: "123", "b/c/d": "45" });
    expect(await folderSize(folder, 1_000)).toBe(5);
  });

  test("counts a file with holes in full", async () => {
    const folder = temporaryFolder({ a: "" });
    truncateSync(join(folder, "a"), 10 ** 9);
    expect(await folderSize(folder, 1_000)).toBeGreaterThan(1_000);
  });

  test("exceeds the limit if there are very many files", async () => {
    const folder = temporaryFolder();
    for (let index = 0; index <= 10_000; index++) writeFileSync(join(folder, String(index)), "");
    expect(await folderSize(folder, 1_000)).toBeGreaterThan(1_000);
  });
});
