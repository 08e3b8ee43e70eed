import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { copyTree } from "../copy/copy-tree.ts";
import { hashFolder } from "./folder-digest.ts";
import { isCopyOf } from "./is-copy-of.ts";

function copied(links: Readonly<Record<string, string>> = {}) {
  const root = temporaryFolder({
    "a/SKILL.md": skillMd("a"),
    "a/references/deep/r.md": "R",
    "a/scripts/s.sh": "S",
  });
  const [folder, copy] = [join(root, "a"), join(root, "copy")];
  for (const [link, target] of Object.entries(links)) symlinkSync(target.replace("ROOT", root), join(folder, link));
  const content = hashFolder(folder);
  for (const _ of copyTree(folder, copy, { symlinks: "contained", readOnly: false }));
  return { copy, isCopy: () => isCopyOf(copy, folder, content) };
}

test.each([
  ["no links", {}],
  ["a link to a file", { link: "scripts/s.sh" }],
  ["a link to a folder", { "scripts/link": "../references" }],
  ["an absolute link", { link: "ROOT/a/references/deep/r.md" }],
  ["a chain of links", { one: "references/two", "references/two": "../three", three: "references/deep" }],
  ["a link through a link and up again", { down: "references/deep", up: "down/../deep/r.md" }],
  ["a link that leaves the folder and comes back", { link: "../a/scripts" }],
])("a copy of a folder with %s is one", (_, links) => {
  expect(copied(links).isCopy()).toBe(true);
});

test.each<[string, (copy: string) => void]>([
  ["a changed file", (copy) => writeFileSync(join(copy, "scripts/s.sh"), "evil")],
  ["a file behind a link that has another file's content", (copy) => writeFileSync(join(copy, "link"), "R")],
  ["two files exchanged", (copy) => cpSync(join(copy, "references/deep/r.md"), join(copy, "scripts/s.sh"))],
  ["a file more", (copy) => writeFileSync(join(copy, "more.md"), "S")],
  ["a folder more", (copy) => mkdirSync(join(copy, "more"))],
  ["a file less", (copy) => rmSync(join(copy, "scripts/s.sh"))],
  [
    "a link in place of a file",
    (copy) => {
      rmSync(join(copy, "scripts/s.sh"));
      symlinkSync("../link", join(copy, "scripts/s.sh"));
    },
  ],
])("a copy with %s is not one", (_, change) => {
  const { copy, isCopy } = copied({ link: "scripts/s.sh" });
  expect(isCopy()).toBe(true);
  change(copy);
  expect(isCopy()).toBe(false);
});
