import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { skillMd, temporaryFolder, writeFiles } from "../../../../../test/temporary-folder.ts";
import type { ReloadResult, Skillset } from "../../core/skillset.ts";
import { createSkillset } from "../load/create-skillset.ts";

/** Watches, and hands out reloads one by one. */
async function follow(skills: Skillset) {
  const waiting: ((reload: ReloadResult) => void)[] = [];
  const seen: ReloadResult[] = [];
  const watcher = skills.watch(
    (reload) => {
      const next = waiting.shift();
      if (next === undefined) seen.push(reload);
      else next(reload);
    },
    { debounce: 60 },
  );
  onTestFinished(() => watcher.close());
  await watcher.ready;
  return {
    watcher,
    next: () =>
      new Promise<ReloadResult>((resolve) =>
        seen.length > 0 ? resolve(seen.shift() as ReloadResult) : waiting.push(resolve),
      ),
    seen,
  };
}

test("a skill that is added, changed and removed is noticed", async () => {
  const root = temporaryFolder({ "a/SKILL.md": skillMd("a") });
  const { watcher, next } = await follow(await createSkillset([root]));
  writeFiles(root, { "b/SKILL.md": skillMd("b") });
  expect((await next()).changes).toEqual({ added: ["b"], removed: [], changed: [] });
  writeFiles(root, { "a/SKILL.md": skillMd("a", "Changed.") });
  expect((await next()).changes).toEqual({ added: [], removed: [], changed: ["a"] });
  rmSync(join(root, "b"), { recursive: true });
  expect((await next()).changes).toEqual({ added: [], removed: ["b"], changed: [] });
  expect(watcher.current.names).toEqual(["a"]);
});

test("a file that an editor replaces instead of writing is noticed", async () => {
  const root = temporaryFolder({ "a/SKILL.md": skillMd("a") });
  const { next } = await follow(await createSkillset([root]));
  for (const description of ["One.", "Two."]) {
    writeFileSync(join(root, "a/.SKILL.md.swp"), skillMd("a", description));
    renameSync(join(root, "a/.SKILL.md.swp"), join(root, "a/SKILL.md"));
    expect((await next()).skillset.get("a")?.description).toBe(description);
  }
});

test("many changes at once make one reload", async () => {
  const root = temporaryFolder({ "a/SKILL.md": skillMd("a") });
  const { next, seen } = await follow(await createSkillset([root]));
  for (let index = 0; index < 50; index++) writeFiles(root, { [`s${index}/SKILL.md`]: skillMd(`s${index}`) });
  expect((await next()).skillset.size).toBe(51);
  expect(seen).toEqual([]);
});

test("a folder that is removed keeps its skills, and is watched again when it is back", async () => {
  const root = temporaryFolder({ "skills/a/SKILL.md": skillMd("a") });
  const { next } = await follow(await createSkillset([join(root, "skills")]));
  renameSync(join(root, "skills"), join(root, "moved"));
  const kept = await next();
  expect(kept.skillset.names).toEqual(["a"]);
  expect(kept.skillset.problems).toContainEqual(expect.objectContaining({ code: "source-kept" }));
  renameSync(join(root, "moved"), join(root, "skills"));
  expect((await next()).skillset.problems).toEqual([]);
});

test("an optional folder that does not exist yet is noticed when it appears", async () => {
  const root = temporaryFolder();
  const { next } = await follow(await createSkillset([{ path: join(root, "later/skills"), optional: true }]));
  writeFiles(root, { "later/skills/a/SKILL.md": skillMd("a") });
  expect((await next()).changes.added).toEqual(["a"]);
});

test("nothing is reported after close, and an aborted signal closes", async () => {
  const root = temporaryFolder({ "a/SKILL.md": skillMd("a") });
  const controller = new AbortController();
  const seen: ReloadResult[] = [];
  const watcher = (await createSkillset([root])).watch((reload) => seen.push(reload), {
    debounce: 10,
    signal: controller.signal,
  });
  await watcher.ready;
  controller.abort();
  writeFiles(root, { "b/SKILL.md": skillMd("b") });
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(seen).toEqual([]);
  await watcher.close();
});

test("a folder that is removed and created again, or replaced by another, is watched again", async () => {
  const root = temporaryFolder({ "skills/one/SKILL.md": skillMd("one") });
  const { next } = await follow(await createSkillset([join(root, "skills")]));
  rmSync(join(root, "skills"), { recursive: true });
  expect((await next()).skillset.problems).toContainEqual(expect.objectContaining({ code: "source-kept" }));
  writeFiles(root, { "skills/two/SKILL.md": skillMd("two") });
  expect((await next()).skillset.names).toEqual(["two"]);
  writeFiles(root, { "new/three/SKILL.md": skillMd("three") });
  renameSync(join(root, "skills"), join(root, "old"));
  renameSync(join(root, "new"), join(root, "skills"));
  expect((await next()).skillset.names).toEqual(["three"]);
  writeFiles(root, { "skills/four/SKILL.md": skillMd("four") });
  expect((await next()).skillset.names).toEqual(["four", "three"]);
});

test("a missing folder does not cause a watch on its surroundings", async () => {
  const root = temporaryFolder(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`home/d${index}/f`, ""])));
  const before = watchCount();
  await follow(await createSkillset([{ path: join(root, "home/.agents/skills"), optional: true }]));
  expect(watchCount() - before).toBeLessThan(20);
});

test("a signal that is aborted early lets the watcher be ready and be closed", async () => {
  const root = temporaryFolder({ "a/SKILL.md": skillMd("a") });
  const controller = new AbortController();
  const watcher = (await createSkillset([root])).watch(() => {}, { signal: controller.signal });
  controller.abort();
  await watcher.ready;
  await watcher.close();
});

/** How many inotify watches this process holds. */
function watchCount(): number {
  return readdirSync("/proc/self/fdinfo").flatMap((fd) => {
    try {
      return readFileSync(`/proc/self/fdinfo/${fd}`, "utf8").match(/^inotify /gm) ?? [];
    } catch {
      return [];
    }
  }).length;
}

test("a skill that is added before the watch is ready is noticed, and so are its changes", async () => {
  const folder = temporaryFolder({ "one/SKILL.md": skillMd("one") });
  const seen: string[] = [];
  const skills = await createSkillset(folder);
  const watcher = skills.watch(({ changes: { added, changed } }) => void seen.push(...added, ...changed), {
    debounce: 20,
  });
  onTestFinished(() => watcher.close());
  writeFiles(folder, { "two/SKILL.md": skillMd("two") });
  await vi.waitFor(() => expect(seen).toContain("two"), { timeout: 20_000 });
  writeFiles(folder, { "two/SKILL.md": skillMd("two", "Says something else.") });
  await vi.waitFor(() => expect(seen.filter((name) => name === "two").length).toBe(2), { timeout: 20_000 });
});
