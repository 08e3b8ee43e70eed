import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createSkillset } from "skillset";
import { describe, expect, test } from "vitest";
import { BUNDLERS } from "./testing/bundlers.ts";
import { BYTES, createProject, TRICKY } from "./testing/project.ts";

describe.each(Object.entries(BUNDLERS))("with %s", (_name, build) => {
  test("compiled skills have the names, digests, catalog and activation of the folder", async () => {
    const { root, ...project } = createProject();
    await build(root);
    const { skills, names, pdf } = await project.import("dist/main.js");
    const folder = await createSkillset([join(root, "skills")]);
    const compiled = await createSkillset(skills);
    expect(names).toEqual(["pdf", "tea"]);
    expect(compiled.names).toEqual(folder.names);
    const digests = (set: typeof folder) => Promise.all(set.skills.map((skill) => skill.digest()));
    expect(await digests(compiled)).toEqual(await digests(folder));
    expect(compiled.catalog().text).toBe(folder.catalog().text);
    const activate = async (set: typeof folder) => (await (await set.session()).activate("pdf")).text;
    expect(await activate(compiled)).toBe(await activate(folder));
    expect(pdf.name).toBe("pdf");
    expect(pdf.metadata).toEqual({ version: "1.2.0" });
    expect([pdf.location, skills[0]?.location]).toEqual(["pdf/SKILL.md", "skills/pdf/SKILL.md"]);
  });

  test("every file has the bytes of the folder", async () => {
    const { root, ...project } = createProject();
    await build(root);
    const { pdf } = await project.import("dist/main.js");
    const [stored] = (await createSkillset([join(root, "skills/pdf")])).skills;
    const files = (await pdf.files.list()).filter(({ kind }) => kind === "file").map(({ path }) => path);
    expect(files).toHaveLength(9);
    for (const path of files) {
      const [own, theirs] = await Promise.all([pdf.files.read(path), stored?.files.read(path)]);
      expect([...own], path).toEqual([...(theirs ?? [])]);
    }
    expect([...(await pdf.files.read("assets/logo.png"))]).toEqual([...BYTES]);
    expect(new TextDecoder("utf-8", { ignoreBOM: true }).decode(await pdf.files.read("assets/tricky.txt"))).toBe(
      TRICKY,
    );
  });

  test("the first chunk has no instructions, no files and no path of the machine", async () => {
    const { root } = createProject();
    await build(root);
    const chunks = readdirSync(join(root, "dist"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".js"))
      .map((name) => readFileSync(join(root, "dist", name), "utf8"));
    const first = readFileSync(join(root, "dist/main.js"), "utf8");
    expect(first).toContain("Fills in PDF forms.");
    expect(first).not.toMatch(/Read references|Boil water|color: red|node:/);
    expect(chunks.length).toBeGreaterThan(9);
    // Bundlers name the module in a comment, unless they minify.
    for (const code of chunks) expect(code.replace(/^\s*\/\/.*$/gm, "")).not.toContain(root);
  });

  test("a broken skill fails the build with its file, line and rule", async () => {
    const { root } = createProject({ "skills/broken/SKILL.md": "---\nname: broken\nlicense: MIT\n---\n" });
    await expect(build(root)).rejects.toThrow(/broken\/SKILL\.md:\d+.*description.*\(description-missing\)/s);
  });

  test("deviations are warnings with file and line", async () => {
    const { root } = createProject({ "skills/Odd/SKILL.md": "---\ndescription: Odd.\nname: Odd\n---\nOdd.\n" });
    const { warnings } = await build(root);
    expect(warnings.join("\n")).toMatch(/skills\/Odd\/SKILL\.md:3:\d+: .*\(name-uppercase\)/);
  });

  test("a file over the limit fails the build with the file, its size and the option", async () => {
    const { root } = createProject();
    await expect(build(root, { maxFileBytes: 200 })).rejects.toThrow(
      /'assets\/logo\.png' of skill 'pdf' has 256 bytes\. At most 200 .*'maxFileBytes'/,
    );
  });
});
