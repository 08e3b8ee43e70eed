import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
// #region program
import { createSkillset, toSkillMd } from "skillset";

const folder = mkdtempSync(join(tmpdir(), "watched-"));
const skills = await createSkillset([{ path: folder, optional: true }]);
const added = await new Promise<readonly string[]>((resolve) => {
  const watcher = skills.watch(({ changes }) => {
    resolve(changes.added);
    void watcher.close();
  });
  void watcher.ready.then(() => {
    mkdirSync(join(folder, "notes"));
    writeFileSync(
      join(folder, "notes/SKILL.md"),
      toSkillMd({ name: "notes", description: "Takes notes.", body: "# Notes" }),
    );
  });
});
console.log("added while running:", added);
// #endregion
rmSync(folder, { recursive: true });
assert.deepEqual(added, ["notes"]);
