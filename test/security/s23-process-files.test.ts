import { createHash } from "node:crypto";
import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { makeOwnedFolder, sweepOwnedFolders } from "../../packages/skillset/src/node/copy/owned-folder.ts";
import { removeTree } from "../../packages/skillset/src/node/copy/remove-tree.ts";
import { withFileLock } from "../../packages/skillset/src/node/files/file-lock.ts";
import { hasEnded, ownProcess } from "../../packages/skillset/src/node/files/process-owner.ts";
import { PackageStore } from "../../packages/skillset/src/scripts/packages/package-store.ts";
import { cleanFolder } from "../../packages/skillset/src/scripts/process/clean-folder.ts";
import { markRun, removeKilledRun } from "../../packages/skillset/src/scripts/run-marker.ts";
import { cacheFolder } from "../packages/cache-folder.ts";
import { temporaryFolder, writeFiles } from "../temporary-folder.ts";
import { CASES, changesOf, readJson } from "./changed-bytes.ts";
import { report } from "./report.ts";

/** A process that has ended: no system has processes with this number. */
const DEAD = ownProcess().replace(/^\d+/, "4999999");

test(`S23: with ${CASES} changed bytes of a run marker, no file of a killed run stays, and no other file is lost`, async () => {
  expect(hasEnded(DEAD)).toBe(true);
  const root = temporaryFolder({ "session/before.txt": "before", "session/changed.txt": "before" });
  const folder = join(root, "session");
  const marker = `${folder}.run`;
  const seal = (json: string): string => `${createHash("sha256").update(json).digest("hex")}\n${json}`;
  await cleanFolder(folder, 1_000);
  await setTimeout(20);
  markRun(folder, { files: ["before.txt", "changed.txt"], time: 1 });
  const json = readFileSync(marker, "utf8").slice(65).replace(ownProcess(), DEAD);
  const markedAt = lstatSync(marker).mtime;
  await setTimeout(20);
  const run = async (content: string | Uint8Array): Promise<"kept" | "leaked" | "lost" | "failed"> => {
    writeFiles(folder, { "secret.txt": "sk-canary", "changed.txt": "sk-canary" });
    // A script can set this time.
    if (content !== valid) utimesSync(join(folder, "changed.txt"), 1, 1);
    writeFileSync(marker, content);
    utimesSync(marker, markedAt, markedAt);
    try {
      await removeKilledRun(folder, 1_000, false);
    } catch {
      return "failed";
    }
    if (existsSync(join(folder, "secret.txt")) || existsSync(join(folder, "changed.txt"))) return "leaked";
    return existsSync(join(folder, "before.txt")) ? "kept" : "lost";
  };
  const valid = seal(json);
  expect(await run(valid)).toBe("kept");
  const ends: string[] = [];
  for (const bytes of changesOf(Buffer.from(valid))) ends.push(await run(bytes));
  const through = ends.filter((end) => end !== "kept");
  const naive = [...changesOf(Buffer.from(json))].filter((bytes) => {
    const { owner, until, files } = (readJson(bytes) ?? {}) as Record<string, unknown>;
    return owner !== DEAD || typeof until !== "number" || !Array.isArray(files) || !files.includes("before.txt");
  }).length;
  const control = `without a checksum ${naive.toLocaleString("en")} name another process, other files, or are no JSON`;
  report("S23", { tried: "changed bytes of a run marker", cases: CASES, through: through.length, control });
  expect(through).toEqual([]);
  expect(naive).toBeGreaterThan(CASES / 10);
});

test(`S23: with ${CASES} changed bytes of a lock file, the lock of a running process holds`, () => {
  const lock = join(temporaryFolder(), "x.lock");
  let through = 0;
  let naive = 0;
  withFileLock(lock, () => {
    for (const bytes of changesOf(readFileSync(lock))) {
      writeFileSync(lock, bytes);
      try {
        if (withFileLock(lock, () => "both", { timeoutMs: 0 }) !== undefined || !existsSync(lock)) through++;
      } catch {
        through++;
      }
      if (readdirSync(dirname(lock)).length > 1) through++;
    }
    for (const bytes of changesOf(Buffer.from(ownProcess()))) if (hasEnded(Buffer.from(bytes).toString())) naive++;
  });
  const control = `with the owner alone, ${naive.toLocaleString("en")} name a process that has ended`;
  report("S23", { tried: "changed bytes of a lock file", cases: CASES, through, control });
  expect(through).toBe(0);
  expect(naive).toBeGreaterThan(0);
});

test(`S23: with ${CASES} changed bytes of an owner marker, no folder of a running process or another program is removed`, () => {
  const parent = temporaryFolder();
  const ours = makeOwnedFolder(parent, "x-");
  const marker = join(ours, ".skillset-owner");
  const saved = readFileSync(marker);
  // Named like the folder of a process that has ended, with the marker of another program.
  const foreign = join(parent, `x-${DEAD}-${"0".repeat(12)}`);
  writeFiles(foreign, { "mine.txt": "" });
  let through = 0;
  let naive = 0;
  for (const bytes of changesOf(saved)) {
    removeTree(marker);
    for (const folder of [ours, foreign]) writeFileSync(join(folder, ".skillset-owner"), bytes);
    try {
      if (sweepOwnedFolders(parent, "x-").length > 0 || !existsSync(ours) || !existsSync(foreign)) through++;
    } catch {
      through++;
    }
    if (hasEnded(Buffer.from(bytes).toString())) naive++;
  }
  const control = `${naive.toLocaleString("en")} name a process that has ended`;
  report("S23", { tried: "changed bytes of an owner marker", cases: CASES, through, control });
  expect(through).toBe(0);
  expect(naive).toBeGreaterThan(0);
  writeFileSync(join(foreign, ".skillset-owner"), DEAD);
  expect(sweepOwnedFolders(parent, "x-")).toEqual([foreign]);
});

test(`S23: ${CASES} changed bytes of what is known of installed packages never fail, and never confuse registries`, async () => {
  const folder = cacheFolder();
  const store = new PackageStore({ folder });
  const declared = { python: ["a"], npm: [] };
  const [from, other] = [["pypi.org/simple", false] as const, ["packages.example/simple", false] as const];
  const [key, next] = ["a", "b"].map((letter) => letter.repeat(64)) as [string, string];
  const install = (to: string) => store.add(to, declared, from, async () => true);
  await install(key);
  const info = join(folder, key, "packages.json");
  const saved = readFileSync(info);
  chmodSync(join(folder, key), 0o755);
  let through = 0;
  let naive = 0;
  for (const bytes of changesOf(saved)) {
    removeTree(info);
    writeFileSync(info, bytes);
    try {
      if (store.find(key, other) !== undefined || !(await install(next))) through++;
      if (store.find(key) === undefined || store.find(next, from) === undefined) through++;
    } catch {
      through++;
    }
    if (readJson(bytes) === undefined) naive++;
  }
  const control = `\`JSON.parse\` throws for ${naive.toLocaleString("en")}`;
  report("S23", { tried: "changed bytes of what is known of installed packages", cases: CASES, through, control });
  expect(through).toBe(0);
  expect(naive).toBeGreaterThan(CASES / 10);
  // Then they are installed again.
  writeFileSync(info, "{");
  expect(store.find(key, from)).toBeUndefined();
  expect(await install(key)).toBe(true);
  expect(store.find(key, from)).toBe(join(folder, key));
});
