import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cacheFolder } from "../../../../../test/packages/cache-folder.ts";
import type { PackageOptions } from "../../core/script/packages.ts";
import { ownProcess } from "../../node/files/process-owner.ts";
import { PackageStore, packagesKey } from "./package-store.ts";

const DECLARED = { python: ["a"], npm: [], files: ["requirements.txt"], refused: [] };
const FROM = ["pypi.org/simple", false] as const;
const DAY = 24 * 60 * 60 * 1000;

const keyOf = (name: string): string => packagesKey({ python: [name], npm: [] }, "test", {});

function open(options: PackageOptions = {}) {
  const folder = options.folder ?? cacheFolder();
  return { folder, store: new PackageStore({ folder, ...options }) };
}

async function add(store: PackageStore, name: string, size = 10): Promise<void> {
  await store.add(keyOf(name), DECLARED, FROM, async (folder) => {
    mkdirSync(join(folder, "python"));
    writeFileSync(join(folder, "python", `${name}.py`), "#".repeat(size));
    return true;
  });
}

/** Makes packages look as if they were last used some days ago. */
function age(path: string, days: number): void {
  const then = new Date(Date.now() - days * DAY);
  utimesSync(path, then, then);
}

test("a filled folder is found again, and is read-only", async () => {
  const { store, folder } = open();
  expect(store.find(keyOf("a"))).toBeUndefined();
  await add(store, "a");
  const path = store.find(keyOf("a")) ?? "";
  expect(path).toBe(join(folder, keyOf("a")));
  expect(statSync(join(path, "python")).mode & 0o777).toBe(0o555);
  expect(statSync(join(path, "python/a.py")).mode & 0o777).toBe(0o444);
});

test("work that fails or throws leaves nothing behind", async () => {
  const { store, folder } = open();
  expect(await store.add(keyOf("a"), DECLARED, FROM, async () => false)).toBe(false);
  const work = store.add(keyOf("a"), DECLARED, FROM, () => Promise.reject(new Error("broken")));
  await expect(work).rejects.toThrow("broken");
  expect(readdirSync(folder)).toEqual([]);
});

test("what a killed process left is not used, and is removed", async () => {
  const { store, folder } = open();
  // No process has this pid.
  const owner = ownProcess().replace(/^\d+/, "999999999");
  const left = join(folder, `.staging-${owner}-0123456789ab`);
  mkdirSync(join(left, "packages/python"), { recursive: true });
  writeFileSync(join(left, ".skillset-owner"), owner);
  await add(store, "a");
  expect(readdirSync(folder)).toEqual([keyOf("a")]);
});

test("packages from another registry are not found, and are replaced", async () => {
  const { store, folder } = open();
  await add(store, "a");
  const other = ["example.com/simple", false] as const;
  expect(store.find(keyOf("a"), FROM)).toBe(join(folder, keyOf("a")));
  expect(store.find(keyOf("a"), other)).toBeUndefined();
  await store.add(keyOf("a"), DECLARED, other, async (filled) => {
    writeFileSync(join(filled, "other.py"), "");
    return true;
  });
  expect(readdirSync(store.find(keyOf("a"), other) ?? "").sort()).toEqual(["other.py", "packages.json"]);
  expect(readdirSync(folder)).toEqual([keyOf("a")]);
});

test("links and special bits do not survive", async () => {
  const { store } = open();
  await store.add(keyOf("a"), DECLARED, FROM, async (folder) => {
    mkdirSync(join(folder, "python"));
    symlinkSync("/etc/passwd", join(folder, "python/link"));
    writeFileSync(join(folder, "python/tool"), "");
    chmodSync(join(folder, "python/tool"), 0o4755);
    return true;
  });
  const python = join(store.find(keyOf("a")) ?? "", "python");
  expect(readdirSync(python)).toEqual(["tool"]);
  expect(statSync(join(python, "tool")).mode & 0o7777).toBe(0o555);
});

test("packages that were not used for long are removed, and used ones stay", async () => {
  const { store, folder } = open();
  await add(store, "old");
  await add(store, "used");
  for (const name of ["old", "used"]) age(join(folder, keyOf(name)), 40);
  store.find(keyOf("used"));
  await add(store, "new");
  expect(readdirSync(folder).sort()).toEqual([keyOf("used"), keyOf("new")].sort());
});

test("if the folder is too large, the packages that were not used for the longest time are removed", async () => {
  const { store, folder } = open({ maxBytes: 1_500 });
  for (const name of ["a", "b", "c"]) await add(store, name, 1_000);
  age(join(folder, keyOf("a")), 3);
  age(join(folder, keyOf("b")), 2);
  age(join(folder, keyOf("c")), 1);
  await add(store, "d", 10);
  expect(readdirSync(folder).sort()).toEqual([keyOf("c"), keyOf("d")].sort());
});

test.skipIf(process.platform === "win32")("a folder that others can write to is refused", async () => {
  const { store, folder } = open();
  chmodSync(folder, 0o777);
  expect(() => store.find(keyOf("a"))).toThrow("Other users can write to");
  await expect(add(store, "a")).rejects.toThrow("chmod go-w");
});

test.skipIf(process.getuid?.() !== 0)("as root, a folder that the sandbox's user cannot enter is refused", async () => {
  const { store, folder } = open();
  chmodSync(folder, 0o700);
  expect(() => store.find(keyOf("a"))).toThrow("who cannot reach");
});

test("the key depends on packages, platform and chosen registries, not on their order or a password", () => {
  const key = packagesKey({ python: ["a", "b"], npm: [] }, "p", { pythonIndex: "https://u:secret@example.com/simple" });
  expect(packagesKey({ python: ["b", "a"], npm: [] }, "p", { pythonIndex: "https://example.com/simple" })).toBe(key);
  expect(packagesKey({ python: ["a", "b"], npm: [] }, "q", { pythonIndex: "https://example.com/simple" })).not.toBe(
    key,
  );
  expect(packagesKey({ python: ["a", "b"], npm: [] }, "p", {})).not.toBe(key);
  expect(packagesKey({ python: ["a"], npm: ["b"] }, "p", {})).not.toBe(
    packagesKey({ python: ["a", "b"], npm: [] }, "p", {}),
  );
});
