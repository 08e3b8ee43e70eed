import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { endWithTest } from "../../../../test/processes.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { lockFolder } from "./folder-lock.ts";

const MODULE = fileURLToPath(new URL("./folder-lock.ts", import.meta.url));
const HOLD = `const { lockFolder } = await import(${JSON.stringify(MODULE)});
try { await lockFolder(process.argv[1]); console.log("held"); setInterval(() => {}, 1000); } catch (error) { console.log(error.message); process.exit(3); }`;

const start = (folder: string) => spawn(process.execPath, ["--input-type=module", "-e", HOLD, folder]);
const said = (child: ReturnType<typeof start>) =>
  new Promise<string>((resolve) => child.stdout.once("data", (data) => resolve(String(data).trim())));

test("S17: a second process is refused with an error that names the first and the folder", async () => {
  const folder = temporaryFolder();
  const first = start(folder);
  try {
    expect(await said(first)).toBe("held");
    await expect(lockFolder(folder)).rejects.toThrow(
      `The chat's database in ${folder} is in use by process ${first.pid}. Stop that process, or set DATA_DIR to another folder.`,
    );
  } finally {
    first.kill("SIGKILL");
  }
});

test("the lock of a killed process is taken over", async () => {
  const folder = temporaryFolder();
  const first = start(folder);
  expect(await said(first)).toBe("held");
  first.kill("SIGKILL");
  await new Promise((resolve) => first.once("exit", resolve));
  const release = await lockFolder(folder);
  expect(readFileSync(`${folder}/lock`, "utf8")).toContain(String(process.pid));
  release();
  expect(readdirSync(folder)).toEqual([]);
});

test("S17: a process that is killed in this moment is waited for", async () => {
  const folder = temporaryFolder();
  const first = start(folder);
  expect(await said(first)).toBe("held");
  const locked = lockFolder(folder, { patience: 30_000 });
  await new Promise((resolve) => setTimeout(resolve, 100));
  first.kill("SIGKILL");
  (await locked)();
});

test.skipIf(process.platform !== "linux")(
  "a dead process that its parent has not noticed does not hold the lock",
  async () => {
    const folder = temporaryFolder();
    // The shell becomes a program that never asks for its children.
    const parent = spawn("sh", [
      "-c",
      '"$@" & exec sleep 600',
      "sh",
      process.execPath,
      "--input-type=module",
      "-e",
      HOLD,
      folder,
    ]);
    endWithTest(parent);
    await new Promise((resolve) => parent.stdout.once("data", resolve));
    const { pid } = JSON.parse(readFileSync(`${folder}/lock`, "utf8")) as { pid: number };
    process.kill(pid, "SIGKILL");
    (await lockFolder(folder, { patience: 30_000 }))();
    expect(readFileSync(`/proc/${pid}/stat`, "utf8")).toMatch(/\) Z /);
  },
);

test("a lock that cannot be read ends the start with the reason", async () => {
  const folder = temporaryFolder({ "lock/file": "" });
  const refused = lockFolder(folder, { patience: 100 });
  await expect(refused).rejects.toThrow(`The lock of the chat's database, ${folder}/lock, cannot be read.`);
});

test("a reused process id does not hold the lock", async () => {
  const folder = temporaryFolder();
  writeFileSync(`${folder}/lock`, JSON.stringify({ pid: process.ppid, started: "1" }));
  if (!existsSync("/proc/self/stat")) return;
  (await lockFolder(folder))();
});

test("if many processes find a dead lock at once, only one gets it", async () => {
  const folder = temporaryFolder();
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  writeFileSync(`${folder}/lock`, JSON.stringify({ pid, started: "1" }));
  const children = Array.from({ length: 6 }, () => start(folder));
  const answers = await Promise.all(children.map(said));
  for (const child of children) child.kill("SIGKILL");
  expect(answers.filter((answer) => answer === "held")).toHaveLength(1);
});

describe("a lock from another container or machine", () => {
  /** Its process id is dead here, so checking only the id would take over the lock. */
  function foreignLock() {
    const folder = temporaryFolder();
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    const lock = `${folder}/lock`;
    writeFileSync(lock, JSON.stringify({ id: "a", pid, started: "1", host: "other", namespace: "pid:[1]" }));
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    return { folder, lock };
  }

  test("S17: is respected while it is renewed", async () => {
    const { folder, lock } = foreignLock();
    let seconds = 0;
    const timer = setInterval(() => utimesSync(lock, ++seconds, Date.now() / 1000 + seconds), 20);
    onTestFinished(() => clearInterval(timer));
    await expect(lockFolder(folder)).rejects.toThrow(
      /in use by process \d+ in another container or on another machine, 'other'/,
    );
  });

  test("is taken over when it is no longer renewed", async () => {
    const { folder, lock } = foreignLock();
    utimesSync(lock, new Date(), new Date(Date.now() - 21_000));
    (await lockFolder(folder))();
    const other = foreignLock();
    (await lockFolder(other.folder, { stale: 50 }))();
  });

  test("stops the process whose lock was taken over", async () => {
    const folder = temporaryFolder();
    let lost = 0;
    const release = await lockFolder(folder, { beat: 5, onLost: () => lost++ });
    writeFileSync(`${folder}/lock`, "another's");
    await expect.poll(() => lost).toBe(1);
    release();
    expect(readFileSync(`${folder}/lock`, "utf8")).toBe("another's");
  });
});

test("a lock is renewed while it is held", async () => {
  const folder = temporaryFolder();
  const release = await lockFolder(folder, { beat: 5 });
  onTestFinished(release);
  utimesSync(`${folder}/lock`, 1, 1);
  await expect.poll(() => statSync(`${folder}/lock`).mtimeMs).toBeGreaterThan(1_000_000);
});

/** Requires Linux and the right to create a namespace. */
const UNSHARE = "unshare";
const canUnshare = spawnSync(UNSHARE, ["--pid", "--fork", "--mount-proc", "true"]).status === 0;

test.skipIf(!canUnshare)(
  "S17: a process in another process namespace is refused while the first one is alive",
  async () => {
    const folder = temporaryFolder();
    const first = spawn(UNSHARE, [
      "--pid",
      "--fork",
      "--kill-child",
      "--mount-proc",
      process.execPath,
      "--input-type=module",
      "-e",
      HOLD.replace("(process.argv[1])", "(process.argv[1], { beat: 50 })"),
      folder,
    ]);
    endWithTest(first);
    expect(await said(first)).toBe("held");
    await expect(lockFolder(folder)).rejects.toThrow("in another container or on another machine");
  },
);
