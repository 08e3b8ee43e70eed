import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createSkillset } from "../../packages/skillset/src/index.ts";
import { skillMd, temporaryFolder } from "../temporary-folder.ts";
import { report } from "./report.ts";

const text = skillMd("a", "Liest PDFs für Größen, 技能, навык, 😀.", "Körper 技能");

test("mutated bytes result in a skill or a problem, never in a silent replacement character", async () => {
  const root = temporaryFolder({ "a/SKILL.md": text });
  const file = join(root, "a/SKILL.md");
  const cases = Math.max(Number(process.env.CASES ?? 1_000) / 10, 1_000);
  let control = 0;
  const mutation = fc.array(
    fc.tuple(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), fc.integer({ min: 0, max: 255 })),
    { minLength: 1, maxLength: 4 },
  );
  await fc.assert(
    fc.asyncProperty(mutation, async (changes) => {
      const bytes = Buffer.from(text);
      for (const [place, byte] of changes) bytes[Math.floor(place * bytes.length)] = byte;
      writeFileSync(file, bytes);
      if (bytes.toString("utf8").includes("\ufffd")) control++;
      const skills = await createSkillset([root]);
      const [skill] = skills.skills;
      if (skill === undefined) return skills.problems.some(({ severity }) => severity === "error");
      const body = await skill.instructions().catch((error) => `${error.code}`);
      return !JSON.stringify([skill, body]).includes("\ufffd");
    }),
    { numRuns: cases },
  );
  expect(control).toBeGreaterThan(0);
  report("S3", { tried: "mutated bytes", cases, through: 0, control: `${control} get replacement characters` });
});

test.each([
  [
    "a byte that is not UTF-8",
    Buffer.concat([Buffer.from("---\nname: a\ndescription: x"), Buffer.from([0xff]), Buffer.from("\n---\n")]),
    "encoding-not-utf8",
  ],
  ["Latin-1", Buffer.from("---\nname: a\ndescription: Größe\n---\n", "latin1"), "encoding-not-utf8"],
  ["UTF-16", Buffer.from(`\ufeff${text}`, "utf16le"), "encoding-not-utf8"],
  ["a NUL", Buffer.from("---\nname: a\ndescription: x\0y\n---\n"), "nul-byte"],
])("%s is refused with its own code", async (_, bytes, code) => {
  const skills = await createSkillset([temporaryFolder({ "a/SKILL.md": bytes })]);
  expect(skills.problems).toEqual([expect.objectContaining({ code, severity: "error" })]);
});

test.each([
  ["a byte that is not UTF-8", Buffer.concat([Buffer.from(skillMd("a", "A.", "body")), Buffer.from([0xff])])],
  ["a NUL", Buffer.from(skillMd("a", "A.", "bo\0dy"))],
])("%s in the body is refused when the body is read", async (_, bytes) => {
  const skills = await createSkillset([temporaryFolder({ "a/SKILL.md": bytes })]);
  await expect(skills.get("a")?.instructions()).rejects.toMatchObject({ code: "resource-not-text" });
});

test("a replacement character in the source is kept", async () => {
  const skills = await createSkillset([temporaryFolder({ "a/SKILL.md": skillMd("a", "Explains \ufffd.") })]);
  expect(skills.get("a")?.description).toBe("Explains \ufffd.");
});

test("one byte order mark is stripped, and CRLF accepted", async () => {
  const skills = await createSkillset([
    temporaryFolder({ "a/SKILL.md": `\ufeff${skillMd("a").replaceAll("\n", "\r\n")}` }),
  ]);
  expect(skills.problems).toEqual([]);
  expect(await skills.get("a")?.instructions()).toBe("# a");
});
