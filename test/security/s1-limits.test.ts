import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSkillset, defineSkill, LIMITS } from "../../packages/skillset/src/index.ts";
import { readContained } from "../../packages/skillset/src/node/files/contained-read.ts";
import { skillMd, temporaryFolder } from "../temporary-folder.ts";
import { report } from "./report.ts";

const { hard } = LIMITS;
const load = (files: Record<string, string | Uint8Array>) => createSkillset([temporaryFolder(files)]);
const codesOf = async (files: Record<string, string | Uint8Array>) =>
  (await load(files)).problems.map(({ code }) => code);

/** Returns a SKILL.md whose frontmatter, or whole text, has exactly this many bytes. */
const frontmatterOf = (bytes: number, filler = "x") => {
  const start = 'name: a\ndescription: d\ncompatibility: "';
  const room = bytes - Buffer.byteLength(`${start}"\n`);
  const unit = Buffer.byteLength(filler);
  return `---\n${start}${filler.repeat(Math.floor(room / unit))}${"x".repeat(room % unit)}"\n---\n`;
};
const wholeOf = (bytes: number) => skillMd("a", "d", "").padEnd(bytes, "y");

const cases: [string, number, (size: number) => Promise<boolean>][] = [
  [
    "frontmatter",
    hard.frontmatter,
    async (size) => !(await codesOf({ "a/SKILL.md": frontmatterOf(size) })).includes("frontmatter-too-large"),
  ],
  [
    "frontmatter of three-byte characters",
    hard.frontmatter,
    async (size) => !(await codesOf({ "a/SKILL.md": frontmatterOf(size, "技") })).includes("frontmatter-too-large"),
  ],
  [
    "SKILL.md",
    hard.skillMd,
    async (size) => !(await codesOf({ "a/SKILL.md": wholeOf(size) })).includes("skill-md-too-large"),
  ],
  [
    "the body of a skill in code",
    hard.skillMd,
    async (size) => attempt(() => defineSkill({ name: "a", description: "d", body: "b".repeat(size) })),
  ],
  [
    "a file",
    hard.file,
    async (size) =>
      attempt(() => readContained(temporaryFolder({ f: Buffer.alloc(size, 97) }), "f", { maxBytes: hard.file })),
  ],
  [
    "the files of a skill",
    hard.filesInSkill,
    async (count) =>
      attemptAsync(async () => {
        const files = Object.fromEntries(Array.from({ length: count - 1 }, (_, index) => [`a/f${index}`, "x"]));
        await (await load({ "a/SKILL.md": skillMd("a"), ...files })).get("a")?.digest();
      }),
  ],
  [
    "the bytes of a skill",
    hard.skill,
    async (size) =>
      attemptAsync(async () => {
        const text = skillMd("a");
        const files: Record<string, Uint8Array> = {};
        let left = size - Buffer.byteLength(text);
        for (let index = 0; left > 0; index++, left -= hard.file)
          files[`a/f${index}`] = Buffer.alloc(Math.min(left, hard.file), 97);
        await (await load({ "a/SKILL.md": text, ...files })).get("a")?.digest();
      }),
  ],
  [
    "the depth of YAML",
    hard.yamlDepth - 1,
    async (depth) =>
      Array.isArray(
        (
          await load({
            "a/SKILL.md": `---\nname: a\ndescription: d\nx: ${"[".repeat(depth)}${"]".repeat(depth)}\n---\n`,
          })
        ).get("a")?.extra.x,
      ),
  ],
  [
    "the depth of a scan",
    hard.scanDepth,
    async (depth) =>
      (
        await createSkillset([temporaryFolder({ [`${"d/".repeat(depth - 1)}a/SKILL.md`]: skillMd("a") })], {
          recursive: true,
        })
      ).has("a"),
  ],
];

function attempt(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: expect.stringMatching(/too-large$/) });
    return false;
  }
}

async function attemptAsync(work: () => Promise<unknown>): Promise<boolean> {
  return work().then(
    () => true,
    (error) => {
      expect(error).toMatchObject({ code: "skill-too-large" });
      return false;
    },
  );
}

test.each(cases)(
  "%s: one below the limit and the limit itself are accepted, one above is refused",
  async (_, limit, passes) => {
    expect([await passes(limit - 1), await passes(limit), await passes(limit + 1)]).toEqual([true, true, false]);
    report("S1", { tried: "sizes at each limit, one below and one above", cases: 3, through: 0 });
  },
);

test("listing a SKILL.md of 22 MB reads only its first page", async () => {
  const root = temporaryFolder({
    "a/SKILL.md": Buffer.concat([Buffer.from(skillMd("a")), Buffer.alloc(22_000_000, 32)]),
    "b/SKILL.md": skillMd("b"),
  });
  const before = process.memoryUsage().arrayBuffers;
  const skills = await createSkillset([root]);
  expect(skills.names).toEqual(["b"]);
  expect(skills.problems).toEqual([
    expect.objectContaining({ code: "skill-md-too-large", path: join(root, "a/SKILL.md") }),
  ]);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000);
  expect(readFileSync(join(root, "a/SKILL.md")).length).toBeGreaterThan(22_000_000);
  report("S1", { tried: "a SKILL.md of 22 MB", cases: 1, through: 0, control: "reading the whole file uses 22 MB" });
});
