import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { normaliseRelative } from "../../core/text/relative-path.ts";
import { readContained } from "./contained-read.ts";

const read = (root: string, path: string, maxBytes = 100) =>
  new TextDecoder().decode(readContained(root, path, { maxBytes }));

describe("a contained read", () => {
  const folder = () =>
    temporaryFolder({
      "secret.txt": "secret",
      "s/SKILL.md": "skill",
      "s/references/a.md": "A",
      "s/big": "x".repeat(101),
    });

  test("returns the content of a file of the skill", () => {
    expect(read(join(folder(), "s"), "references/a.md")).toBe("A");
    expect(read(join(folder(), "s"), "references/../SKILL.md")).toBe("skill");
    expect(read(join(folder(), "s"), "./references//a.md")).toBe("A");
  });

  test.each([
    "../secret.txt",
    "/etc/passwd",
    "a/../../secret.txt",
    "..",
    "C:\\x",
    "\\\\host\\x",
    "..\\secret.txt",
    "x\0y",
  ])("of %j is refused", (path) => {
    expect(() => read(join(folder(), "s"), path)).toThrow(expect.objectContaining({ code: "resource-outside-skill" }));
  });

  test("refuses links that leave the skill, to files and through folders", () => {
    const root = folder();
    symlinkSync("../secret.txt", join(root, "s/link"));
    symlinkSync("..", join(root, "s/up"));
    for (const path of ["link", "up/secret.txt"]) {
      expect(() => read(join(root, "s"), path)).toThrow(expect.objectContaining({ code: "resource-outside-skill" }));
    }
  });

  test("follows links that stay inside", () => {
    const root = folder();
    symlinkSync("references/a.md", join(root, "s/link"));
    expect(read(join(root, "s"), "link")).toBe("A");
  });

  test.each([
    ["nothing.md", "resource-not-found"],
    ["references", "resource-not-a-file"],
    ["SKILL.md/x", "resource-not-found"],
    ["big", "resource-too-large"],
  ])("of %s fails with %s, and a message without the machine's paths", (path, code) => {
    const root = folder();
    expect(() => read(join(root, "s"), path)).toThrow(
      expect.objectContaining({ code, message: expect.not.stringContaining(root) }),
    );
  });

  test("of a file as large as the limit returns it whole", () => {
    expect(read(join(folder(), "s"), "big", 101)).toHaveLength(101);
  });
});

test("paths are normalised to forward slashes without dots", () => {
  expect(["a//b/./c.md", "./a", "a/b/", "a\\b"].map(normaliseRelative)).toEqual(["a/b/c.md", "a", "a/b", "a/b"]);
});
