import assert from "node:assert/strict";
import type { ProblemCode } from "skillset";
import { type FileContent, type SourceScenario, skillMdOf, TEA, withSource } from "./source-contract-place.ts";

/** A broken skill is a problem and never affects other skills. */
export const problemScenarios: readonly SourceScenario[] = [
  broken("invalid-frontmatter", "Frontmatter that is not closed", "frontmatter-unclosed", "---\nname: broken\n"),
  broken("no-description", "A missing description", "description-missing", "---\nname: broken\n---\nText\n"),
  broken("not-utf8", "A SKILL.md that is not UTF-8", "encoding-not-utf8", new Uint8Array([45, 45, 45, 10, 0xff, 10])),
  broken("nul", "A NUL byte in the frontmatter", "nul-byte", "---\nname: bro\0ken\ndescription: D.\n---\n"),
  broken(
    "large-frontmatter",
    "Frontmatter over the size limit",
    "frontmatter-too-large",
    `---\nname: broken\ndescription: D.\nnote: ${"x".repeat(17 * 1024)}\n---\n`,
  ),
  broken(
    "large-skill-md",
    "A SKILL.md over the size limit",
    "skill-md-too-large",
    skillMdOf("broken", "x".repeat(1024 * 1024)),
  ),
  {
    id: "policy",
    title: "The policy decides which deviations are errors",
    needs: "invalid-skills",
    run: (source) =>
      withSource(source, { ...TEA, "other/SKILL.md": skillMdOf("misnamed") }, async ({ load, find }) => {
        find(await load(), "misnamed");
        const strict = await load({ policy: "strict" });
        assert.ok(!strict.has("misnamed"));
        const problem = strict.problems.find(({ code }) => code === "name-folder-mismatch");
        assert.equal(problem?.severity, "error");
      }),
  },
  {
    id: "hostile-folders",
    title: "A skill whose folder has a hostile name is a problem, and the others are loaded",
    needs: "hostile-paths",
    run: (source) => {
      const hostile = ["../evil", "/evil", "..", "C:\\evil", "ev\u202eil", "ev\nil"];
      const entries = hostile.map((folder) => [`${folder}/SKILL.md`, skillMdOf("evil")]);
      return withSource(source, { ...Object.fromEntries(entries), ...TEA }, async ({ load, nameOf }) => {
        const skills = await load();
        assert.deepEqual([...skills.names].sort(), ["coffee", "tea"].map(nameOf));
        assert.equal(skills.problems.filter(({ severity }) => severity === "error").length, hostile.length);
      });
    },
  },
  {
    id: "hostile-files",
    title: "A file with a hostile path is a problem: it is neither listed nor read, and its skill is loaded",
    needs: "hostile-paths",
    run: (source) => {
      const hostile = ["../up.md", "a/../../up.md", "/root.md", "hid\u200bden.md", "li\nne.md", "skill.MD", "nul\0"];
      const entries = hostile.map((path) => [`tea/${path}`, "Evil."]);
      return withSource(source, { ...TEA, ...Object.fromEntries(entries) }, async ({ load, find }) => {
        const skills = await load();
        const { files } = find(skills, "tea");
        const listed = (await files.list()).map(({ path }) => path);
        assert.deepEqual(listed, ["SKILL.md", "assets/leaf.png", "empty.txt", "references/kinds.md"]);
        for (const path of hostile) await assert.rejects(files.read(path), { name: "SkillError" }, path);
        const refused = skills.problems.filter(({ code }) => code === "file-refused");
        assert.equal(refused.length, hostile.length);
      });
    },
  },
];

/** A skill that cannot be loaded is listed as invalid, with a problem that contains its location. */
function broken(id: string, what: string, code: ProblemCode, skillMd: FileContent): SourceScenario {
  return {
    id,
    title: `${what} is a problem that names the place, and the other skills are loaded`,
    needs: "invalid-skills",
    run: (source) =>
      withSource(source, { ...TEA, "broken/SKILL.md": skillMd }, async ({ load, nameOf }) => {
        const skills = await load();
        assert.deepEqual([...skills.names].sort(), ["coffee", "tea"].map(nameOf));
        const problem = skills.problems.find((one) => one.code === code);
        assert.ok(problem, `No problem is '${code}': ${JSON.stringify(skills.problems)}`);
        assert.equal(problem.severity, "error");
        assert.match(problem.path ?? "", /broken.SKILL\.md$/);
        const entry = skills.entries.find(({ status }) => status === "invalid");
        assert.equal(entry?.name, "broken");
      }),
  };
}
