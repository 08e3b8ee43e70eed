import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { lockFolder } from "./folder-lock.ts";

const MODULE = fileURLToPath(new URL("./folder-lock.ts", import.meta.url));
const HOLD = `const { lockFolder } = await import(${JSON.stringify(MODULE)});
try { lockFolder(process.argv[1]); console.log("held"); setInterval(() => {}, 1000); } catch (error) { console.log(error.message); process.exit(3); }`;

const start = (folder: string) => spawn(process.execPath, ["--input-type=module", "-e", HOLD, folder]);
const said = (child: ReturnType<typeof start>) =>
  new Promise<string>((resolve) => child.stdout.once("data", (data) => resolve(String(data).trim())));

test("S17: a second process is refused in one sentence that names the first and the folder", async () => {
  const folder = temporaryFolder();
  const first = start(folder);
  try {
    expect(await said(first)).toBe("held");
    expect(() => lockFolder(folder)).toThrow(
      `The chat's database in ${folder} is in use by the process ${first.pid}: end that one first, or set DATA_DIR to another folder.`,
    );
  } finally {
    first.kill("SIGKILL");
  }
});

test("the lock of a process that was killed is taken over", async () => {
  const folder = temporaryFolder();
  const first = start(folder);
  expect(await said(first)).toBe("held");
  first.kill("SIGKILL");
  await new Promise((resolve) => first.once("exit", resolve));
  const release = lockFolder(folder);
  expect(readFileSync(`${folder}/lock`, "utf8")).toContain(String(process.pid));
  release();
  expect(readdirSync(folder)).toEqual([]);
});

test("a process id that belongs to another process by now is no holder", () => {
  const folder = temporaryFolder();
  writeFileSync(`${folder}/lock`, JSON.stringify({ pid: process.ppid, started: "1" }));
  if (!existsSync("/proc/self/stat")) return;
  lockFolder(folder)();
});

test("of many processes that find a dead lock at once, one gets it", async () => {
  const folder = temporaryFolder();
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  writeFileSync(`${folder}/lock`, JSON.stringify({ pid, started: "1" }));
  const children = Array.from({ length: 6 }, () => start(folder));
  const answers = await Promise.all(children.map(said));
  for (const child of children) child.kill("SIGKILL");
  expect(answers.filter((answer) => answer === "held")).toHaveLength(1);
});
