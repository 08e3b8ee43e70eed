import { expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { FolderFiles } from "../../node/skill-folder/folder-files.ts";
import { findPackages } from "./find-packages.ts";

const block = (name: string): string => `# /// script\n# dependencies = ["${name}"]\n# ///\n`;

test("files that are not searched for packages are reported, and the others are searched", async () => {
  const scripts = Array.from({ length: 200 }, (_, index) => `scripts/${String(index).padStart(3, "0")}.py`);
  const folder = temporaryFolder({
    "SKILL.md": skillMd("tea"),
    "requirements.txt": "words\n",
    ...Object.fromEntries(scripts.map((path) => [path, block("greet")])),
    "scripts/099.py": `${block("large")}#${"x".repeat(1_000_000)}\n`,
    "scripts/199.py": block("late"),
  });
  const { python, refused, unread } = await findPackages(new FolderFiles(folder));
  expect(python).toEqual(["words", "greet"]);
  expect(refused).toEqual([]);
  expect(unread).toEqual(["scripts/099.py", "scripts/199.py"]);
});
