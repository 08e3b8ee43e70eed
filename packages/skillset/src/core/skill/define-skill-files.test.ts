import { describe, expect, test } from "vitest";
import { LIMITS } from "../base/limits.ts";
import { defineSkill } from "./define-skill.ts";
import { fingerprint } from "./fingerprint.ts";

const tea = { name: "tea", description: "Makes tea.", body: "Read references/kinds.md." };
const logo = new Uint8Array([137, 80, 78, 71, 0, 255]);

describe("a skill in code can have files", () => {
  const made = defineSkill({ ...tea, files: { "references/kinds.md": "Green, é.", "./assets/logo.png": logo } });

  test("they are listed with their size, in order, and by directory", async () => {
    expect(await made.files.list()).toMatchObject([
      { path: "assets/logo.png", kind: "file", size: 6 },
      { path: "references/kinds.md", kind: "file", size: 10 },
    ]);
    expect((await made.files.list("references")).map(({ path }) => path)).toEqual(["references/kinds.md"]);
  });

  test("text and bytes are read unchanged", async () => {
    expect(new TextDecoder().decode(await made.files.read("references/../references/kinds.md"))).toBe("Green, é.");
    expect(await made.files.read("assets/logo.png")).toEqual(logo);
  });

  test("they cannot be changed afterwards", async () => {
    const bytes = new Uint8Array([1, 2, 3]);
    const copy = defineSkill({ ...tea, files: { a: bytes } });
    bytes[0] = 9;
    (await copy.files.read("a"))[1] = 9;
    expect(await copy.files.read("a")).toEqual(new Uint8Array([1, 2, 3]));
  });

  test.each(["../a", "/etc/passwd", "references/none.md", "SKILL.md"])("%s cannot be read", async (path) => {
    await expect(made.files.read(path)).rejects.toMatchObject({ name: "SkillError" });
  });

  test("they are part of the digest and of the fingerprint, with their paths", async () => {
    const versions = [
      defineSkill(tea),
      defineSkill({ ...tea, files: { a: "1" } }),
      defineSkill({ ...tea, files: { a: "2" } }),
      defineSkill({ ...tea, files: { b: "1" } }),
    ];
    expect(new Set(await Promise.all(versions.map((one) => one.digest()))).size).toBe(4);
    expect(new Set(versions.map((one) => fingerprint([one]))).size).toBe(4);
    expect(await defineSkill({ ...tea, files: {} }).digest()).toBe(await versions[0]?.digest());
    const orders = [
      { a: "1", b: "2" },
      { b: "2", a: "1" },
    ].map((files) => defineSkill({ ...tea, files }).digest());
    expect(new Set(await Promise.all(orders)).size).toBe(1);
  });
});

describe("an invalid file is rejected when the skill is defined", () => {
  test.each([
    [{ "../a": "" }, "Path traversal is not allowed"],
    [{ "/a": "" }, "must be relative"],
    [{ "c:\\a": "" }, "must be relative"],
    [{ "a\0": "" }, "NUL"],
    [{ "a\nb": "" }, "hidden characters"],
    [{ "a\u202eb": "" }, "hidden characters"],
    [{ "": "" }, "is empty"],
    [{ "x/..": "" }, "is empty"],
    [{ "SKILL.md": "" }, "SKILL.md"],
    [{ "./skill.md": "" }, "SKILL.md"],
    [{ ".env": "" }, "private"],
    [{ a: "", "./a": "" }, "same path"],
    [{ a: "", "a/b": "" }, "a file and a folder"],
    [{ "a/b": "", a: "" }, "a file and a folder"],
    [{ ["d/".repeat(17)]: "" }, "nested"],
    [{ ["n".repeat(256)]: "" }, "too long"],
    [{ a: 7 as never }, "must be a string or a Uint8Array"],
    [["a"] as never, "must be an object"],
  ])("%o", (files, message) => {
    expect(() => defineSkill({ ...tea, files })).toThrow(message);
  });

  test("one that is too large", () => {
    expect(() => defineSkill({ ...tea, files: { a: new Uint8Array(LIMITS.hard.file + 1) } })).toThrow(
      expect.objectContaining({ code: "skill-too-large" }),
    );
  });

  test("one too many", () => {
    const files = Object.fromEntries(Array.from({ length: LIMITS.hard.filesInSkill + 1 }, (_, index) => [index, ""]));
    expect(() => defineSkill({ ...tea, files })).toThrow(expect.objectContaining({ code: "skill-too-large" }));
  });
});
