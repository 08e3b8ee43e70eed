import { expect, test } from "vitest";
import { contentOf, fileId, resolveSkills, skillsId } from "./module-ids.ts";

test.each([
  "/a/b/forms.md",
  "/a/what? #1/~7e~ 50% [x].md",
  "/a/語/😀.txt",
  "/a/b~c",
  "/~23~/c#/50%?/a.md",
  "/a!b/-!c.cjs!/x.md",
  'C:/Ann Lee/语/a:b|"c"/x.md',
])("the id of %s leads back to it, also with a query", (path) => {
  expect(contentOf(fileId(path))).toEqual({ kind: "file", path });
  expect(contentOf(`${fileId(path)}?import`)).toEqual({ kind: "file", path });
  expect(fileId(path)).not.toMatch(/[#?%!|"*]/);
  expect(fileId(path).split("/").at(-1)).toMatch(/^[\w.~-]+\.skillset-file\.js$/);
});

test("paths are resolved from the importer, and packages are left to the bundler", () => {
  expect(resolveSkills("./skills?skillset", "/app/src/main.ts?v=1", "/app")).toBe(skillsId("/app/src/skills"));
  expect(resolveSkills("../pdf/SKILL.md", "/app/src/main.ts", "/app")).toBe(skillsId("/app/pdf/SKILL.md"));
  expect(resolveSkills("/skills?skillset", undefined, "/app")).toBe(skillsId("/skills"));
  expect(resolveSkills("package/skills?skillset", "/app/main.ts", "/app")).toBeUndefined();
  expect(contentOf(skillsId("/app/pdf/SKILL.md"))).toEqual({ kind: "skills", path: "/app/pdf/SKILL.md" });
  expect(contentOf("/app/pdf/SKILL.md")).toEqual({ kind: "skills", path: "/app/pdf/SKILL.md" });
});
