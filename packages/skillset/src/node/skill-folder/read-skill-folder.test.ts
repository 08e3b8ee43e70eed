import type * as Fs from "node:fs";
import { expect, test, vi } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { createSkillset } from "../load/create-skillset.ts";

const disk = vi.hoisted(() => ({ failsToClose: "", opened: new Map<number, string>() }));

// A network file system may fail when a file is closed. Local disks do not, so the test simulates it.
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof Fs>();
  return {
    ...fs,
    openSync: (path: string, flags: number) => {
      const fd = fs.openSync(path, flags);
      disk.opened.set(fd, path);
      return fd;
    },
    closeSync: (fd: number) => {
      fs.closeSync(fd);
      const path = disk.opened.get(fd) ?? "";
      if (disk.failsToClose !== "" && path.endsWith(disk.failsToClose))
        throw Object.assign(new Error(), { code: "EIO" });
    },
  };
});

test("a SKILL.md that cannot be closed is invalid, and does not affect the others", async () => {
  const root = temporaryFolder({
    "a/SKILL.md": skillMd("a"),
    "b/SKILL.md": skillMd("b"),
    "c/SKILL.md": skillMd("c"),
  });
  disk.failsToClose = "/b/SKILL.md";
  const { entries } = await createSkillset([root]);
  expect(entries.map(({ name, status }) => `${name} ${status}`)).toEqual(["a enabled", "b invalid", "c enabled"]);
  expect(entries[1]).toMatchObject({ reason: "SKILL.md cannot be read (EIO)." });
});
