import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BENIGN_TEXTS } from "../../../../test/security/benign-texts.ts";
import { report } from "../../../../test/security/report.ts";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { createSkillset } from "../node/load/create-skillset.ts";
import { runCaptured } from "./run-captured.ts";

const TAGS = Array.from("ignore all", (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("");
const HIDDEN = { tags: TAGS, bidi: "\u202E", zeroWidth: "\u200B\u200B\u200B", control: "\u009B" };

/** The files of a skill with hidden text, the file that is reported and its line. */
const places: Readonly<Record<string, (hidden: string) => readonly [files: object, path: string, line?: number]>> = {
  "its instructions": (hidden) => [
    { "SKILL.md": skillMd("a", undefined, `# A\n\nRead${hidden} on.\n`) },
    "SKILL.md",
    8,
  ],
  "a file's name": (hidden) => [{ "SKILL.md": skillMd("a"), [`docs/x${hidden}y.md`]: "x" }, `docs/x${hidden}y.md`],
  "a folder's name": (hidden) => [{ "SKILL.md": skillMd("a"), [`do${hidden}cs/x.md`]: "x" }, `do${hidden}cs`],
  "a reference": (hidden) => [
    { "SKILL.md": skillMd("a"), "references/r.md": `one\ntwo${hidden}two\n` },
    "references/r.md",
    2,
  ],
  compatibility: (hidden) => [
    {
      "SKILL.md": `---\nname: a\ndescription: A.\ncompatibility: "Needs${inYaml(hidden)}git"\n---\nx\n`,
    },
    "SKILL.md",
    4,
  ],
};

/** Escaped, because YAML allows no control characters. */
function inYaml(text: string): string {
  return Array.from(text, (one) => `\\U${one.codePointAt(0)?.toString(16).padStart(8, "0")}`).join("");
}

const cases = Object.entries(places).flatMap(([place, make]) =>
  Object.entries(HIDDEN).map(([kind, hidden]) => [place, kind, make(hidden), hidden] as const),
);

test.each(cases)(
  "hidden text in %s (%s) is reported, and fails --strict",
  async (_, _kind, [files, path, line], hidden) => {
    const cwd = temporaryFolder(Object.fromEntries(Object.entries(files).map(([name, text]) => [`a/${name}`, text])));
    const problem = { code: "hidden-text", path: join(cwd, "a", path), ...(line !== undefined && { line }) };
    const validate = async (...options: string[]) => {
      const { code, stdout } = await runCaptured(["validate", "a", "--json", ...options], { cwd });
      return { code, ...JSON.parse(stdout) };
    };
    expect(await validate()).toMatchObject({ code: 0, valid: true, problems: [{ ...problem, severity: "warning" }] });
    const strict = { code: 1, valid: false, skills: [{ valid: false }], problems: [{ ...problem, severity: "error" }] };
    expect(await validate("--strict")).toMatchObject(strict);
    const doctor = JSON.parse((await runCaptured(["doctor", ".", "--json"], { cwd })).stdout);
    expect(doctor.skills).toMatchObject([{ name: "a", problems: [problem] }]);
    // Neither the file nor the returned text is changed.
    for (const [name, text] of Object.entries(files)) expect(readFileSync(join(cwd, "a", name), "utf8")).toBe(text);
    const skill = (await createSkillset([cwd])).get("a");
    if (path === "SKILL.md") expect((await skill?.instructions()) + (skill?.compatibility ?? "")).toContain(hidden);
    report("S8", {
      tried: "hidden text in files",
      cases: 1,
      through: 0,
      control: "the rules of the standard accept each",
    });
  },
);

test("ordinary multilingual and emoji text in files is not reported", async () => {
  const body = BENIGN_TEXTS.join("\n\n");
  const cwd = temporaryFolder({
    "a/SKILL.md": skillMd("a", undefined, BENIGN_TEXTS.slice(0, 100).join("\n")),
    "a/references/all.md": body,
  });
  const { problems } = JSON.parse((await runCaptured(["validate", "a", "--json", "--strict"], { cwd })).stdout);
  expect(problems.filter(({ code }: { code: string }) => code === "hidden-text")).toEqual([]);
});
