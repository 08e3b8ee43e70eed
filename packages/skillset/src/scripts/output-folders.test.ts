import { spawnSync } from "node:child_process";
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
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { Redactor } from "../core/script/redactor.ts";
import { OutputFolders } from "./output-folders.ts";

const SECRETS = { redactor: new Redactor([["TOKEN", "sk-canary-1234567"]]), time: 60_000 };

const MAX = 1_000;

function open(files: Record<string, string> = {}, session = "s") {
  const folder = temporaryFolder();
  chmodSync(folder, 0o711);
  const folders = new OutputFolders({ folder }, MAX);
  return { folder, folders, output: folders.open(session, files) };
}

test("a run's files are those that it created or changed", () => {
  const { folders, output } = open({ "given.txt": "1", "$OUTPUT_DIR/deep/also.txt": "2" });
  writeFileSync(join(output.path, "new.txt"), "new");
  expect(output.collect()).toEqual({ files: [{ path: "new.txt", size: 3 }], droppedFiles: [] });
  const next = folders.open("s", {});
  writeFileSync(join(next.path, "given.txt"), "changed");
  expect(next.collect().files).toEqual([{ path: "given.txt", size: 7 }]);
});

test("links, special names and private names are removed, each with a reason", () => {
  const { output } = open();
  const outside = temporaryFolder({ "kept.txt": "kept" });
  symlinkSync(join(outside, "kept.txt"), join(output.path, "link"));
  symlinkSync(outside, join(output.path, "folder"));
  writeFileSync(join(output.path, "line\nbreak"), "");
  writeFileSync(join(output.path, "right\u202eleft"), "");
  writeFileSync(join(output.path, ".env"), "");
  writeFileSync(Buffer.from(`${output.path}/\xff\xfe`, "latin1"), "");
  mkdirSync(join(output.path, "d/".repeat(20)), { recursive: true });
  const { files, droppedFiles } = output.collect();
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

test("names that are long at every level are removed", () => {
  const { output } = open();
  const name = "n".repeat(200);
  mkdirSync(join(output.path, ...Array.from({ length: 10 }, () => name)), { recursive: true });
  expect(output.collect().droppedFiles).toMatchObject([{ reason: "it is nested too deeply" }]);
});

test("files over the limit are removed, and the others are kept", () => {
  const { output } = open();
  writeFileSync(join(output.path, "a"), "a".repeat(600));
  writeFileSync(join(output.path, "b"), "b".repeat(600));
  writeFileSync(join(output.path, "c"), "c".repeat(300));
  const { files, droppedFiles } = output.collect();
  expect(files.map(({ path }) => path)).toEqual(["a", "c"]);
  expect(droppedFiles).toEqual([{ path: "b", reason: "it exceeds the limit for files" }]);
});

test("thousands of files are bounded, and so is the report", () => {
  const { output } = open();
  for (let index = 0; index < 2_100; index++) writeFileSync(join(output.path, `f${index}`), "");
  const { files, droppedFiles } = output.collect();
  expect({ kept: files.length, reported: droppedFiles.length }).toEqual({ kept: 2_000, reported: 20 });
  expect(readdirSync(output.path)).toHaveLength(2_000);
});

test("a script cannot lock its folder, and its files get private modes", () => {
  const { output } = open();
  mkdirSync(join(output.path, "locked"));
  writeFileSync(join(output.path, "locked/file"), "x");
  chmodSync(join(output.path, "locked/file"), 0o4777);
  chmodSync(join(output.path, "locked"), 0);
  chmodSync(output.path, 0);
  expect(output.collect().files).toEqual([{ path: "locked/file", size: 1 }]);
  expect(statSync(join(output.path, "locked/file")).mode & 0o7777).toBe(0o600);
});

test("a link that an ended process left behind is not followed when files are written", () => {
  const { folder, folders, output } = open();
  const outside = join(folder, "outside");
  mkdirSync(outside);
  symlinkSync(outside, join(output.path, "way"));
  folders.open("s", { "way/out.txt": "text" });
  expect(readdirSync(outside)).toEqual([]);
});

test.each(["../x", "/etc/x", ".", "a\nb", ".env", "n".repeat(300)])("the file %j is refused", (path) => {
  expect(() => open({ [path]: "" })).toThrow(expect.objectContaining({ name: "SkillError" }));
});

test("a file where a folder is needed is refused without the folder's path", () => {
  const { folder, folders } = open({ a: "file" });
  expect(() => folders.open("s", { "a/b": "" })).toThrow(/^The file 'a\/b' cannot be written: .*\(E/);
  expect(() => folders.open("s", { "a/b": "" })).not.toThrow(folder);
});

test.skipIf(process.getuid?.() !== 0)(
  "as root, files in a private folder are copied to one that others reach, and back",
  () => {
    const { folder, folders } = open({ "kept.txt": "1" });
    chmodSync(folder, 0o700);
    const output = folders.open("s", { "given.txt": "2" });
    expect(output.path.startsWith(folder)).toBe(false);
    expect(readdirSync(output.path)).toEqual(["given.txt", "kept.txt"]);
    writeFileSync(join(output.path, "new.txt"), "new");
    rmSync(join(output.path, "kept.txt"));
    expect(output.collect().files).toEqual([{ path: "new.txt", size: 3 }]);
    const [name = ""] = readdirSync(folder);
    expect(readdirSync(join(folder, name))).toEqual(["given.txt", "new.txt"]);
    expect(existsSync(output.path)).toBe(false);
  },
);

test("sessions have separate folders, whatever their ids contain", async () => {
  const { folder, folders, output } = open({ "a.txt": "1" }, "../../x");
  expect(output.path.startsWith(`${folder}/`)).toBe(true);
  expect(await folders.files("../../x").list()).toMatchObject([{ path: "a.txt" }]);
  expect(await folders.files("other").list()).toEqual([]);
});

test("folders of unused sessions are removed after their time, and nothing else", () => {
  const { folder, output } = open({ "a.txt": "1" });
  mkdirSync(join(folder, "not-ours"));
  const old = new Date(Date.now() - 10_000);
  for (const path of [output.path, join(folder, "not-ours")]) utimesSync(path, old, old);
  new OutputFolders({ folder, keepFor: 60_000 }, MAX).open("new", {});
  expect(existsSync(output.path)).toBe(true);
  new OutputFolders({ folder, keepFor: 5_000 }, MAX).open("new", {});
  expect([existsSync(output.path), existsSync(join(folder, "not-ours"))]).toEqual([false, true]);
});

test("bytes are written as they are, under the rules for names and the limit", async () => {
  const { folder, folders } = open();
  const bytes = Uint8Array.of(0, 255, 10, 13);
  const path = folders.write("s", { "data/raw.bin": bytes });
  expect(path.startsWith(folder)).toBe(true);
  expect([...(await folders.files("s").read("data/raw.bin"))]).toEqual([...bytes]);
  expect(() => folders.write("s", { "big.bin": new Uint8Array(MAX - 4 + 1) })).toThrow("exceed the limit");
  folders.write("s", { "fits.bin": new Uint8Array(MAX - 4) });
  for (const name of ["../out", ".env", "a\u202eb", "/etc/passwd"]) {
    expect(() => folders.write("t", { [name]: bytes })).toThrow();
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
      const { path } = new OutputFolders({ folder: ${JSON.stringify(folder)} }, 1000).open("s", {}, 1000);
      await new Promise((resolve) => setTimeout(resolve, 20));
      for (const name of ["new.txt", "changed.txt"]) writeFileSync(path + "/" + name, "raw secret");
      process.kill(process.pid, "SIGKILL");
    `;
    spawnSync(process.execPath, ["--input-type=module", "--eval", program], { stdio: "inherit" });
  }

  test("are removed before anybody reads them, and files from before stay", async () => {
    const { folder, folders } = open({ "kept.txt": "kept", "changed.txt": "1" });
    leaveRun(folder);
    expect(existsSync(marker(folder))).toBe(true);
    expect((await folders.files("s").list()).map(({ path }) => path)).toEqual(["kept.txt"]);
    expect(readdirSync(folder).filter((name) => name.endsWith(".run"))).toEqual([]);
  });

  test("are read without secrets while the process runs, also through another object", async () => {
    const { folder, folders } = open();
    const { path, collect, settle } = folders.open("s", {}, SECRETS);
    writeFileSync(join(path, "key.txt"), "key: sk-canary-1234567\n");
    writeFileSync(join(path, "sk-canary-1234567.txt"), "");
    const files = new OutputFolders({ folder }, MAX).files("s");
    expect((await files.list()).map((one) => one.path)).toEqual(["key.txt"]);
    expect(Buffer.from(await files.read("key.txt")).toString()).toBe("key: [TOKEN]\n");
    collect();
    settle();
    expect(Buffer.from(await files.read("key.txt")).toString()).toBe("key: sk-canary-1234567\n");
  });

  test("stay while the process runs, and after it has replaced the secrets", async () => {
    const { folder, folders } = open();
    const { path, collect, settle } = folders.open("s", {}, SECRETS);
    writeFileSync(join(path, "new.txt"), "new");
    expect(await new OutputFolders({ folder }, MAX).files("s").list()).toHaveLength(1);
    collect();
    settle();
    expect(readdirSync(folder)).toHaveLength(1);
    expect(await folders.files("s").list()).toHaveLength(1);
  });

  test("are removed after the longest time for a run if the process cannot be asked", async () => {
    const { folder, folders } = open();
    const { path } = folders.open("s", {}, SECRETS);
    writeFileSync(join(path, "new.txt"), "new");
    const left = JSON.parse(readFileSync(marker(folder), "utf8"));
    const rewrite = (until: number): void =>
      writeFileSync(marker(folder), JSON.stringify({ ...left, owner: "1.1.1", until }));
    rewrite(Date.now() + 60_000);
    expect(await folders.files("s").list()).toHaveLength(1);
    rewrite(Date.now() - 1);
    expect(await folders.files("s").list()).toEqual([]);
  });
});
