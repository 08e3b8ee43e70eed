import { type Skill as PublishedSkill, SkillVerificationError } from "@modelcontextprotocol/client/ext/skills";
import { expect, test } from "vitest";
import { SkillError } from "../../core/base/errors.ts";
import type { Manifest } from "../../core/manifest/manifest.ts";
import { ImportedSkill } from "./imported-skill.ts";

const MANIFEST: Manifest = {
  name: "s",
  description: "S.",
  metadata: {},
  allowedTools: [],
  extra: {},
  modelInvocable: true,
  userInvocable: true,
};

function version(digit: string): PublishedSkill {
  const digest = `sha256:${digit.repeat(64)}`;
  const resources = ["SKILL.md", "a.md"].map((path) => ({ uri: `skill://s/${path}`, digest, size: 1 }));
  return { uri: "skill://s/SKILL.md", frontmatter: { name: "s", description: "S." }, resources };
}

test("a version that arrives while another is being approved is not read", async () => {
  const [first, second] = [version("1"), version("2")];
  const read: PublishedSkill[] = [];
  let asked = 0;
  const skills = {
    get: async () => ({ skill: second }),
    read: async (entry: PublishedSkill) => {
      read.push(entry);
      if (read.length === 1) throw new SkillVerificationError("digest", "skill://s/a.md", "changed");
      return { bytes: new Uint8Array([1]) };
    },
  };
  const approvals = {
    demand: async (entry: PublishedSkill) => {
      asked++;
      // While the first read waits for its approval, a second one finds another version, which is refused.
      if (asked === 1) await expect(skill.files.read("a.md")).rejects.toMatchObject({ code: "skill-locked" });
      if (entry === second) throw new SkillError("skill-locked", "refused");
    },
  };
  const context = { server: "acme", skills, approvals } as unknown as ConstructorParameters<typeof ImportedSkill>[3];
  const skill = new ImportedSkill(MANIFEST, first, "digest", context);
  await skill.files.read("a.md");
  expect(read).toEqual([first, first]);
});
