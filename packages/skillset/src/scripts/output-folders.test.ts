import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { nestBeyondPaths } from "../../../../test/nest-beyond-paths.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { Redactor } from "../core/script/redactor.ts";
import { OutputFolders } from "./output-folders.ts";

const SECRETS = { redactor: new Redactor([["TOKEN", "sk-canary-1234567"]]), time: 60_000 };

const MAX = 1_000;

async function open(files: Record<string, string> = {}, session = "s") {
  const folder = temporaryFolder();
  chmodSync(folder, 0o711);
  const folders = new OutputFolders({ folder }, MAX);
  return { folder, folders, output: await folders.open(session, files) };
}

test("a run's files are those that it created or changed", async () => {
  const { folders, output } = await open({ "given.txt": "1", "$OUTPUT_DIR/deep/also.txt": "2" });
  writeFileSync(join(output.path, "new.txt"), "new");
  expect(await output.collect()).toMatchObject({ files: [{ path: "new.txt", size: 3 }], droppedFiles: [] });
  const next = await folders.open("s", {});
  writeFileSync(join(next.path, "given.txt"), "changed");
  expect((await next.collect()).files).toEqual([{ path: "given.txt", size: 7 }]);
});

test("a file that hides its change behind the same size and an old time counts as touched", async () => {
  const { folders, output } = await open({ "given.txt": "1234", "other.txt": "5678" });
  // A time that can be set again exactly.
  utimesSync(join(output.path, "given.txt"), 1, 1);
  await output.collect();
  const next = await folders.open("s", {});
  const path = join(next.path, "given.txt");
  writeFileSync(path, "abcd");
  utimesSync(path, 1, 1);
  const { files, touched } = await next.collect();
  expect(files).toEqual([]);
  expect(touched).toEqual([{ path: "given.txt", size: 4 }]);
});

test("other work continues while thousands of files are removed", async () => {
  const { output } = await open();
  for (let index = 0; index < 5_000; index++) writeFileSync(join(output.path, `f${index}`), "");
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  await output.collect();
  clearInterval(timer);
  expect(turns).toBeGreaterThan(3);
});

test("links, special names and private names are removed, each with a reason", async () => {
  const { output } = await open();
  const outside = temporaryFolder({ "kept.txt": "kept" });
  symlinkSync(join(outside, "kept.txt"), join(output.path, "link"));
  symlinkSync(outside, join(output.path, "folder"));
  writeFileSync(join(output.path, "line\nbreak"), "");
  writeFileSync(join(output.path, "right\u202eleft"), "");
  writeFileSync(join(output.path, ".env"), "");
  writeFileSync(Buffer.from(`${output.path}/\xff\xfe`, "latin1"), "");
  mkdirSync(join(output.path, "d/".repeat(20)), { recursive: true });
  const { files, droppedFiles } = await output.collect();
  expect(files).toEqual([]);
  expect(droppedFiles.map(({ reason }) => reason).sort()).toEqual([
    "it is a link or a special file",
    "it is a link or a special file",
    "it is nested too deeply",
    "its name has characters that are not allowed",
    "its name has characters that are not allowed",
    "its name is not UTF-8",
    "its name is that of a private file",
  ]);
  expect(readdirSync(output.path)).toEqual(["d"]);
});

test("names that are long at every level are removed", async () => {
  const { output } = await open();
  const name = "n".repeat(200);
  mkdirSync(join(output.path, ...Array.from({ length: 10 }, () => name)), { recursive: true });
  expect((await output.collect()).droppedFiles).toMatchObject([{ reason: "it is nested too deeply" }]);
});

test("folders that are nested deeper than any path is long are removed", async () => {
  const { output } = await open();
  nestBeyondPaths(output.path, { file: "text" });
  expect((await output.collect()).droppedFiles).toMatchObject([{ reason: "it is nested too deeply" }]);
});

test("files over the limit are removed, and the others are kept", async () => {
  const { output } = await open();
  writeFileSync(join(output.path, "a"), "a".repeat(600));
  writeFileSync(join(output.path, "b"), "b".repeat(600));
  writeFileSync(join(output.path, "c"), "c".repeat(300));
  const { files, droppedFiles } = await output.collect();
  expect(files.map(({ path }) => path)).toEqual(["a", "c"]);
  expect(droppedFiles).toEqual([{ path: "b", reason: "it exceeds the limit for files" }]);
});

test("thousands of files are bounded, and so is the report", async () => {
  const { output } = await open();
  for (let index = 0; index < 2_100; index++) writeFileSync(join(output.path, `f${index}`), "");
  const { files, droppedFiles } = await output.collect();
  expect({ kept: files.length, reported: droppedFiles.length }).toEqual({ kept: 2_000, reported: 20 });
  expect(readdirSync(output.path)).toHaveLength(2_000);
});

test("a script cannot lock its folder, and its files get private modes", async () => {
  const { output } = await open();
  mkdirSync(join(output.path, "locked"));
  writeFileSync(join(output.path, "locked/file"), "x");
  chmodSync(join(output.path, "locked/file"), 0o4777);
  chmodSync(join(output.path, "locked"), 0);
  chmodSync(output.path, 0);
  expect((await output.collect()).files).toEqual([{ path: "locked/file", size: 1 }]);
  expect(statSync(join(output.path, "locked/file")).mode & 0o7777).toBe(0o600);
});

test("a link that an ended process left behind is not followed when files are written", async () => {
  const { folder, folders, output } = await open();
  const outside = join(folder, "outside");
  mkdirSync(outside);
  symlinkSync(outside, join(output.path, "way"));
  await folders.open("s", { "way/out.txt": "text" });
  expect(readdirSync(outside)).toEqual([]);
});

test.each(["../x", "/etc/x", ".", "a\nb", ".env", "n".repeat(300)])("the file %j is refused", async (path) => {
  await expect(open({ [path]: "" })).rejects.toMatchObject({ name: "SkillError" });
});

test("a file where a folder is needed is refused without the folder's path", async () => {
  const { folder, folders } = await open({ a: "file" });
  const error = await folders.open("s", { "a/b": "" }).catch((reason: Error) => reason);
  expect(error).toMatchObject({ message: expect.stringMatching(/^The file 'a\/b' cannot be written: .*\(E/) });
  expect(String(error)).not.toContain(folder);
});

test.skipIf(process.getuid?.() !== 0)(
  "as root, files in a private folder are copied to one that others reach, and back",
  async () => {
    const { folder, folders } = await open({ "kept.txt": "1" });
    chmodSync(folder, 0o700);
    const output = await folders.open("s", { "given.txt": "2" });
    expect(output.path.startsWith(folder)).toBe(false);
    expect(readdirSync(output.path)).toEqual(["given.txt", "kept.txt"]);
    writeFileSync(join(output.path, "new.txt"), "new");
    rmSync(join(output.path, "kept.txt"));
    expect((await output.collect()).files).toEqual([{ path: "new.txt", size: 3 }]);
    const [name = ""] = readdirSync(folder);
    expect(readdirSync(join(folder, name))).toEqual(["given.txt", "new.txt"]);
    expect(existsSync(output.path)).toBe(false);
  },
);

test("sessions have separate folders, whatever their ids contain", async () => {
  const { folder, folders, output } = await open({ "a.txt": "1" }, "../../x");
  expect(output.path.startsWith(`${folder}/`)).toBe(true);
  expect(await folders.files("../../x").list()).toMatchObject([{ path: "a.txt" }]);
  expect(await folders.files("other").list()).toEqual([]);
});

test("folders of unused sessions are removed after their time, and nothing else", async () => {
  const { folder, output } = await open({ "a.txt": "1" });
  mkdirSync(join(folder, "not-ours"));
  const old = new Date(Date.now() - 10_000);
  for (const path of [output.path, join(folder, "not-ours")]) utimesSync(path, old, old);
  await new OutputFolders({ folder, keepFor: 60_000 }, MAX).open("new", {});
  expect(existsSync(output.path)).toBe(true);
  await new OutputFolders({ folder, keepFor: 5_000 }, MAX).open("new", {});
  expect([existsSync(output.path), existsSync(join(folder, "not-ours"))]).toEqual([false, true]);
});

test("bytes are written as they are, under the rules for names and the limit", async () => {
  const { folder, folders } = await open();
  const bytes = Uint8Array.of(0, 255, 10, 13);
  const path = await folders.write("s", { "data/raw.bin": bytes });
  expect(path.startsWith(folder)).toBe(true);
  expect([...(await folders.files("s").read("data/raw.bin"))]).toEqual([...bytes]);
  await expect(folders.write("s", { "big.bin": new Uint8Array(MAX - 4 + 1) })).rejects.toThrow("exceed the limit");
  await folders.write("s", { "fits.bin": new Uint8Array(MAX - 4) });
  for (const name of ["../out", ".env", "a\u202eb", "/etc/passwd"]) {
    await expect(folders.write("t", { [name]: bytes })).rejects.toThrow();
  }
});

describe("files of a run with secrets whose process was killed", () => {
  const marker = (folder: string): string =>
    join(folder, readdirSync(folder).find((name) => name.endsWith(".run")) ?? "");

  /** Another process, which starts a run and is killed. */
  function leaveRun(folder: string): void {
    const program = `
      const { writeFileSync } = await import("node:fs");
      const { OutputFolders } = await import(${JSON.stringify(new URL("output-folders.ts", import.meta.url).href)});
      const { path } = await new OutputFolders({ folder: ${JSON.stringify(folder)} }, 1000).open("s", {}, 1000);
      await new Promise((resolve) => setTimeout(resolve, 20));
      for (const name of ["new.txt", "changed.txt"]) writeFileSync(path + "/" + name, "raw secret");
      process.kill(process.pid, "SIGKILL");
    `;
    spawnSync(process.execPath, ["--input-type=module", "--eval", program], { stdio: "inherit" });
  }

  test("are removed before anybody reads them, and files from before stay", async () => {
    const { folder, folders } = await open({ "kept.txt": "kept", "changed.txt": "1" });
    leaveRun(folder);
    expect(existsSync(marker(folder))).toBe(true);
    expect((await folders.files("s").list()).map(({ path }) => path)).toEqual(["kept.txt"]);
    expect(readdirSync(folder).filter((name) => name.endsWith(".run"))).toEqual([]);
  });

  test("are read without secrets while the process runs, also through another object", async () => {
    const { folder, folders } = await open();
    const { path, collect, settle } = await folders.open("s", {}, SECRETS);
    writeFileSync(join(path, "key.txt"), "key: sk-canary-1234567\n");
    writeFileSync(join(path, "sk-canary-1234567.txt"), "");
    const files = new OutputFolders({ folder }, MAX).files("s");
    expect((await files.list()).map((one) => one.path)).toEqual(["key.txt"]);
    expect(Buffer.from(await files.read("key.txt")).toString()).toBe("key: [TOKEN]\n");
    await collect();
    settle();
    expect(Buffer.from(await files.read("key.txt")).toString()).toBe("key: sk-canary-1234567\n");
  });

  test("stay while the process runs, and after it has replaced the secrets", async () => {
    const { folder, folders } = await open();
    const { path, collect, settle } = await folders.open("s", {}, SECRETS);
    writeFileSync(join(path, "new.txt"), "new");
    expect(await new OutputFolders({ folder }, MAX).files("s").list()).toHaveLength(1);
    await collect();
    settle();
    expect(readdirSync(folder)).toHaveLength(1);
    expect(await folders.files("s").list()).toHaveLength(1);
  });

  test("are removed if the marker is damaged, and files from before stay", async () => {
    const { folder, folders } = await open({ "kept.txt": "kept", "changed.txt": "1" });
    for (const damage of ["", "{}", '{"files":["new.txt","changed.txt"]}']) {
      leaveRun(folder);
      const path = marker(folder);
      const { atime, mtime } = statSync(path);
      writeFileSync(path, damage);
      utimesSync(path, atime, mtime);
      // A script can set this time.
      const [session = ""] = readdirSync(folder);
      if (existsSync(join(folder, session, "changed.txt"))) utimesSync(join(folder, session, "changed.txt"), 1, 1);
      expect((await folders.files("s").list()).map((one) => one.path)).toEqual(["kept.txt"]);
      expect(readdirSync(folder)).toHaveLength(1);
    }
  });

  test("of a running script stay if the marker is damaged", async () => {
    const { folder, folders } = await open();
    const { path } = await folders.open("s", {}, SECRETS);
    writeFileSync(join(path, "new.txt"), "new");
    writeFileSync(marker(folder), "");
    expect(await new OutputFolders({ folder }, MAX).files("s").list()).toHaveLength(1);
  });

  test("are removed after the longest time for a run if the process cannot be asked", async () => {
    const { folder, folders } = await open();
    const { path } = await folders.open("s", {}, SECRETS);
    writeFileSync(join(path, "new.txt"), "new");
    const left = JSON.parse(readFileSync(marker(folder), "utf8").slice(65));
    const rewrite = (until: number): void => {
      const json = JSON.stringify({ ...left, owner: "1.1.1", until });
      writeFileSync(marker(folder), `${createHash("sha256").update(json).digest("hex")}\n${json}`);
    };
    rewrite(Date.now() + 60_000);
    expect(await folders.files("s").list()).toHaveLength(1);
    rewrite(Date.now() - 1);
    expect(await folders.files("s").list()).toEqual([]);
  });
});
