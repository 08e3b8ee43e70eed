import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Skill } from "skillset";
import { expect, test } from "vitest";
import { type SkillsetPluginOptions, turbopackRules } from "../index.ts";
import { createProject } from "../testing/project.ts";
import skillLoader, { type LoaderContext } from "./index.ts";

/** Runs the loader as Turbopack does, and records what it reports. */
async function run(root: string, resource: string, options: SkillsetPluginOptions = {}) {
  const [files, folders, warnings]: [string[], string[], string[]] = [[], [], []];
  const context: LoaderContext = {
    resourcePath: join(root, resource),
    rootContext: root,
    getOptions: () => options,
    addDependency: (file) => files.push(file),
    addContextDependency: (folder) => folders.push(folder),
    emitWarning: ({ message }) => warnings.push(message),
  };
  return { code: await skillLoader.call(context), files, folders, warnings };
}

/** Evaluates the module where the loader's file is, with files as the bytes that Turbopack would import. */
async function evaluate(root: string, resource: string, code: string) {
  const at = join(root, dirname(resource), "evaluated.mjs");
  const read = 'import { readFileSync } from "node:fs";\nconst load = (path) => ({ default: new Uint8Array(';
  const file = 'readFileSync(new URL(path.replace("?skillset-file", ""), import.meta.url))) });\n';
  writeFileSync(at, `${read}${file}${code.replaceAll("() => import(", "() => load(")}`);
  return (await import(pathToFileURL(at).href)) as { default: Skill & readonly Skill[]; names: readonly string[] };
}

test("the loader compiles one SKILL.md with relative imports of its files", async () => {
  const { root } = createProject();
  const { code, files, folders } = await run(root, "skills/pdf/SKILL.md");
  expect(code).toContain('import("./references/forms.md?skillset-file")');
  expect(code).not.toContain(root);
  expect(files).toContain(join(root, "skills/pdf/references/forms.md"));
  expect(folders).toContain(join(root, "skills/pdf/references"));
  const { default: pdf } = await evaluate(root, "skills/pdf/SKILL.md", code);
  expect(await pdf.instructions()).toBe("Read references/forms.md.");
  expect(new TextDecoder().decode(await pdf.files.read("references/forms.md"))).toBe("Forms.\n");
});

test("the loader compiles the folder of another file, and watches the folder for new skills", async () => {
  const { root } = createProject();
  const { code, folders } = await run(root, "skills/notes.md");
  expect(folders).toContain(join(root, "skills"));
  const { default: skills, names } = await evaluate(root, "skills/notes.md", code);
  expect(names).toEqual(["pdf", "tea"]);
  expect(await skills[1]?.instructions()).toBe("Boil water.");
});

test("the loader warns, and throws for a broken skill", async () => {
  const { root, write } = createProject({ "skills/Odd/SKILL.md": "---\nname: Odd\ndescription: Odd.\n---\n" });
  expect((await run(root, "skills/notes.md")).warnings.join()).toContain("(name-uppercase)");
  await expect(run(root, "skills/notes.md", { policy: "standard" })).rejects.toThrow("(name-uppercase)");
  write({ "skills/pdf/SKILL.md": "Nothing." });
  await expect(run(root, "skills/pdf/SKILL.md")).rejects.toThrow("(frontmatter-missing)");
});

test("the rules for Turbopack are JSON, name the loader and pass the options", () => {
  const rules = turbopackRules({ policy: "strict" });
  expect(JSON.parse(JSON.stringify(rules))).toEqual(rules);
  expect(rules["**/SKILL.md"]?.[0]?.loaders).toEqual([
    { loader: "@skillset/unplugin/loader", options: { policy: "strict" } },
  ]);
  expect(() => turbopackRules({ errors: "loud" as never })).toThrow("'errors' must be");
});
