import { chmodSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { asOrdinaryUser } from "../../../../../test/as-ordinary-user.ts";
import { skillMd, temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { defineSkill } from "../../core/skill/define-skill.ts";
import { createSkillset } from "../load/create-skillset.ts";
import { applyFix, planFixes, type SkillFix } from "./fix.ts";

const COLON = "---\nname: deploy\ndescription: Ships it. Use when: asked to ship\n---\n\n# Deploy\n";
const silent = { onProblem: () => {} };

async function plan(root: string, policy: "lenient" | "standard" = "standard"): Promise<SkillFix> {
  const [fix, ...others] = planFixes(await createSkillset([root], { policy, ...silent }));
  expect(others).toEqual([]);
  return fix as SkillFix;
}

test.each(["lenient", "standard"] as const)(
  "with the policy %s, a plan has the lines that change and the problems that it removes, and writes nothing",
  async (policy) => {
    const root = temporaryFolder({ "deploy/SKILL.md": COLON });
    const fix = await plan(root, policy);
    expect(fix).toMatchObject({ name: "deploy", file: join(root, "deploy/SKILL.md"), before: COLON, renames: [] });
    expect(fix.problems).toMatchObject([{ line: 3 }]);
    const [hunk] = fix.hunks;
    expect(hunk).toMatchObject({ oldStart: 1, newStart: 1 });
    expect(hunk?.lines.filter(({ kind }) => kind !== " ")).toEqual([
      { kind: "-", line: "description: Ships it. Use when: asked to ship" },
      { kind: "+", line: 'description: "Ships it. Use when: asked to ship"' },
    ]);
    expect(readFileSync(fix.file, "utf8")).toBe(COLON);
    applyFix(fix);
    expect(readFileSync(fix.file, "utf8")).toBe(fix.after);
    expect((await createSkillset([root], { policy: "strict", ...silent })).names).toEqual(["deploy"]);
  },
);

test("a comment below a broken value stays a comment", async () => {
  const comment = "# TODO internal: ask Bob";
  const text = COLON.replace("ship\n---", `ship\n  today\n${comment}\nlicense: MIT\n---`);
  const root = temporaryFolder({ "deploy/SKILL.md": text });
  const lenient = await createSkillset([root], { policy: "lenient", ...silent });
  expect(lenient.get("deploy")?.description).toBe("Ships it. Use when: asked to ship today");
  applyFix(await plan(root));
  expect(readFileSync(join(root, "deploy/SKILL.md"), "utf8")).toBe(
    `---\nname: deploy\ndescription: "Ships it. Use when: asked to ship today"\n${comment}\nlicense: MIT\n---\n\n# Deploy\n`,
  );
});

test("a name that invalid YAML hid from the policy is fixed with it, in one step", async () => {
  const root = temporaryFolder({ "ship/SKILL.md": COLON });
  applyFix(await plan(root));
  expect((await createSkillset([root], { policy: "strict", ...silent })).names).toEqual(["ship"]);
});

test("a skill that is found through a link is fixed in its own folder, and keeps the name of the link", async () => {
  const root = temporaryFolder({ "elsewhere/v2/SKILL.md": COLON, "skills/.keep": "" });
  symlinkSync("../elsewhere/v2", join(root, "skills/deploy"));
  const fix = await plan(join(root, "skills"));
  expect(fix).toMatchObject({ file: join(root, "elsewhere/v2/SKILL.md"), renames: [] });
  applyFix(fix);
  expect((await createSkillset([join(root, "skills")], { policy: "strict", ...silent })).names).toEqual(["deploy"]);
});

test("skills in code, and problems that need a decision, have no fix", async () => {
  const root = temporaryFolder({ "bad/SKILL.md": "---\nname: bad\n---\n" });
  const skillset = await createSkillset(
    [root, defineSkill({ name: "tea", description: "Makes tea.", body: "x" })],
    silent,
  );
  expect(skillset.problems).not.toEqual([]);
  expect(planFixes(skillset)).toEqual([]);
});

test("a file that has changed since it was planned is not written", async () => {
  const root = temporaryFolder({ "deploy/SKILL.md": COLON });
  const fix = await plan(root);
  writeFileSync(fix.file, skillMd("deploy"));
  expect(() => applyFix(fix)).toThrow(`'${fix.file}' has changed in the meantime. Nothing was written.`);
  expect(readFileSync(fix.file, "utf8")).toBe(skillMd("deploy"));
});

test("a new name that was taken in the meantime leaves the file as it was", async () => {
  const root = temporaryFolder({ "My_Skill/SKILL.md": skillMd("My_Skill") });
  const fix = await plan(root);
  writeFileSync(join(root, "my-skill"), "");
  expect(() => applyFix(fix)).toThrow("already exists. Nothing was written.");
  expect(readFileSync(join(root, "My_Skill/SKILL.md"), "utf8")).toBe(skillMd("My_Skill"));
});

test("if the folder cannot be renamed, the file gets its text and name back", async () => {
  const root = temporaryFolder({ "deploy/skill.md": COLON });
  const fix = await plan(root);
  const to = join(root, "no-such-folder/deploy");
  const renames = [...fix.renames, { from: join(root, "deploy"), to }];
  expect(() => applyFix({ ...fix, renames })).toThrow("cannot be changed (ENOENT). Nothing was written.");
  expect(readdirSync(join(root, "deploy"))).toEqual(["skill.md"]);
  expect(readFileSync(join(root, "deploy/skill.md"), "utf8")).toBe(COLON);
});

test("a folder that cannot be written is an error with the reason and what is needed", async () => {
  const root = temporaryFolder({ "deploy/SKILL.md": COLON });
  chmodSync(root, 0o755);
  chmodSync(join(root, "deploy"), 0o555);
  const fix = await plan(root);
  await asOrdinaryUser(() => {
    expect(() => applyFix(fix)).toThrow(
      `'${join(root, "deploy")}' cannot be changed (EACCES). Nothing was written. The user who runs this program needs write access.`,
    );
  });
  chmodSync(join(root, "deploy"), 0o755);
  expect(readFileSync(fix.file, "utf8")).toBe(COLON);
});
