import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type SkillsetPluginOptions, skillset } from "./index.ts";
import { BUNDLERS } from "./testing/bundlers.ts";
import { createProject } from "./testing/project.ts";

const build = (root: string, options?: SkillsetPluginOptions) =>
  BUNDLERS.rolldown?.(root, options) ?? Promise.reject(new Error("There is no rolldown."));

test("with 'errors: warn', a broken skill is left out with a warning", async () => {
  const { root, ...project } = createProject({ "skills/broken/SKILL.md": "No frontmatter." });
  const { warnings } = await build(root, { errors: "warn" });
  expect(warnings.join("\n")).toMatch(/broken\/SKILL\.md.*\(frontmatter-missing\) The skill is left out\./);
  expect((await project.import("dist/main.js")).names).toEqual(["pdf", "tea"]);
});

test("a warning has the file and line of the problem as its location", async () => {
  const { root } = createProject({ "skills/odd/SKILL.md": "---\nname: odd\ndescription: Odd.\ncolour: red\n---\n" });
  const { warnings } = await build(root);
  expect(warnings).toEqual([expect.stringContaining(`(field-unknown) at ${join(root, "skills/odd/SKILL.md")}:4`)]);
});

test("rules have the names of skillset.json: a warning can fail the build, or be turned off", async () => {
  const { root } = createProject({ "skills/odd/SKILL.md": "---\nname: odd\ndescription: Odd.\ncolour: red\n---\n" });
  await expect(build(root, { rules: { "field-unknown": "error" } })).rejects.toThrow("(field-unknown)");
  expect(await build(root, { rules: { "field-unknown": "off" } })).toEqual({ warnings: [] });
});

test.each(["off", "info", "warning"] as const)(
  "a skill that is left out is a warning even if its rule is '%s'",
  async (level) => {
    const { root, ...project } = createProject({ "main.js": 'export { names } from "./skills?skillset";' });
    const { warnings } = await build(root, { maxFileBytes: 200, rules: { "skill-too-large": level } });
    expect(warnings).toEqual([
      expect.stringMatching(/'assets\/logo\.png' of skill 'pdf' .*\(skill-too-large\) The skill is left out\./),
    ]);
    expect((await project.import("dist/main.js")).names).toEqual(["tea"]);
  },
);

test("the policy decides which deviations fail the build", async () => {
  const { root } = createProject({ "skills/Odd/SKILL.md": "---\nname: Odd\ndescription: Odd.\n---\n" });
  await expect(build(root, { policy: "standard" })).rejects.toThrow("(name-uppercase)");
});

test("an import of a SKILL.md without a valid skill fails the build even with 'errors: warn'", async () => {
  const { root } = createProject({ "skills/pdf/SKILL.md": "No frontmatter." });
  await expect(build(root, { errors: "warn" })).rejects.toThrow(/There is no valid skill in '.*pdf\/SKILL\.md'/);
});

test("a folder that does not exist fails the build with its path", async () => {
  const { root } = createProject({ "main.js": 'export { default } from "./nowhere?skillset";' });
  await expect(build(root)).rejects.toThrow(/nowhere/);
});

test("all files of a skill together have a limit", async () => {
  const { root } = createProject();
  await expect(build(root, { maxSkillBytes: 400 })).rejects.toThrow(
    /The files of skill 'pdf' have \d+ bytes\. At most 400 are compiled in\. .*'maxSkillBytes'/,
  );
});

test("private files, and links that leave the skill, are not in the bundle", async () => {
  const { root, ...project } = createProject({ "secret.txt": "SECRET", "skills/pdf/.env": "SECRET" });
  symlinkSync("../../secret.txt", join(root, "skills/pdf/link.txt"));
  symlinkSync("references/forms.md", join(root, "skills/pdf/inside.md"));
  await build(root);
  const { pdf } = await project.import("dist/main.js");
  const paths = (await pdf.files.list()).map(({ path }) => path);
  expect(paths).toContain("inside.md");
  expect(paths).not.toContain("link.txt");
  expect(paths).not.toContain(".env");
  expect(readFileSync(join(root, "dist/main.js"), "utf8")).not.toContain("SECRET");
});

test("a SKILL.md that is a link out of its folder fails the build", async () => {
  const { root } = createProject({ "outside.md": "---\nname: out\ndescription: Out.\n---\n", "skills/out/a.md": "" });
  symlinkSync("../../outside.md", join(root, "skills/out/SKILL.md"));
  await expect(build(root)).rejects.toThrow("(link-outside)");
});

test.skipIf(process.platform === "win32")(
  "a file with a backslash in its name is left out with a warning that names it",
  async () => {
    const { root, ...project } = createProject({ "skills/pdf/a\\b.md": "A.", "skills/pdf/c\\d/e.md": "E." });
    const { warnings } = await build(root);
    expect(warnings.join("\n")).toContain("'a\\b.md' of skill 'pdf'");
    expect(warnings.join("\n")).toContain("'c\\d/e.md' of skill 'pdf'");
    const { pdf } = await project.import("dist/main.js");
    const paths = (await pdf.files.list()).map(({ path }) => path);
    expect(paths).toContain("references/forms.md");
    expect(paths.filter((path) => path.includes("\\"))).toEqual([]);
  },
);

test.each(["app", "app/web"])("a skill that contains the project in %s fails the build", async (folder) => {
  const project = createProject({
    "app/SKILL.md": "---\nname: app\ndescription: The project.\n---\n",
    [`${folder}/main.js`]: `export { default } from "${folder === "app" ? "." : ".."}/SKILL.md";`,
  });
  await expect(build(join(project.root, folder), { errors: "warn" })).rejects.toThrow(
    /The folder '.*\/app' of skill 'app' contains the project '.*'.*Move SKILL\.md .*'skills\/app'/,
  );
  expect(existsSync(join(project.root, folder, "dist"))).toBe(false);
});

test("a file in a folder imports the skills of the folder", async () => {
  const { root, ...project } = createProject({
    "tsconfig.json": "{}",
    "main.js": 'export { names } from "./skills/notes.md?skillset";',
  });
  await build(root);
  expect((await project.import("dist/main.js")).names).toEqual(["pdf", "tea"]);
  expect(readFileSync(join(root, "skillset-env.d.ts"), "utf8")).toContain('"*/skills/notes.md?skillset"');
});

test("'recursive', 'enabled' and 'disabled' select skills as in createSkillset()", async () => {
  const { root, ...project } = createProject({
    "skills/office/word/SKILL.md": "---\nname: word\ndescription: Words.\n---\n",
  });
  await build(root, { recursive: true, disabled: ["tea"] });
  expect((await project.import("dist/main.js")).names).toEqual(["pdf", "word"]);
});

test("skills that require something are compiled in wherever they are built", async () => {
  const { root, ...project } = createProject({
    "skills/cloud/SKILL.md": "---\nname: cloud\ndescription: Clouds.\nmetadata: { env: NO_SUCH_KEY }\n---\n",
  });
  await build(root);
  expect((await project.import("dist/main.js")).names).toContain("cloud");
});

const IMPORTS = '{ "type": "module", "imports": { "#skills/*": "./skills/*" } }';

test.each(Object.keys(BUNDLERS))("%s finds skills that package.json maps to another path", async (bundler) => {
  const entry = `import pdf from "#skills/pdf/SKILL.md";
import same from "#skills/pdf/SKILL.md?skillset";
import { names } from "#skills/notes.md?skillset";
const skills = [same];
export { names, pdf, skills };`;
  const { root, ...project } = createProject({ "main.js": entry, "package.json": IMPORTS });
  await BUNDLERS[bundler]?.(root);
  const { names, pdf, skills } = await project.import("dist/main.js");
  expect([pdf.name, skills[0]?.name, ...names]).toEqual(["pdf", "pdf", "pdf", "tea"]);
});

test("aliases of a tsconfig.json work in esbuild, and its error for a folder says what to import", async () => {
  const { root, write, ...project } = createProject({
    "tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./*"] } } }',
    "main.js":
      'export { names } from "@/skills/notes.md?skillset"; export { default as pdf } from "@/skills/pdf/SKILL.md";',
  });
  await BUNDLERS.esbuild?.(root);
  const { names, pdf } = await project.import("dist/main.js");
  expect([pdf.name, ...names]).toEqual(["pdf", "pdf", "tea"]);
  write({ "main.js": 'export { names } from "@/skills?skillset";' });
  await expect(BUNDLERS.esbuild?.(root)).rejects.toThrow(
    "The bundler cannot find '@/skills'. If it is a folder, import a file in it ('@/skills/README.md?skillset'), or use a relative path.",
  );
});

test.each(["skills.ts", "skills/index.ts"])("an alias of a folder means the folder, also beside %s", async (file) => {
  const { root, ...project } = createProject({
    "tsconfig.json": '{ "compilerOptions": { "allowJs": true, "paths": { "@/*": ["./*"] } } }',
    "main.js": 'export { names } from "@/skills?skillset";',
    [file]: "",
  });
  await build(root);
  expect((await project.import("dist/main.js")).names).toEqual(["pdf", "tea"]);
});

test.each(Object.keys(BUNDLERS))("%s imports skills by a path that starts at the project's root", async (bundler) => {
  const entry = 'export { default as pdf } from "/skills/pdf/SKILL.md"; export { names } from "/skills?skillset";';
  const { root, ...project } = createProject({ "main.js": entry });
  await BUNDLERS[bundler]?.(root);
  const { pdf, names } = await project.import("dist/main.js");
  expect([pdf.name, ...names]).toEqual(["pdf", "pdf", "tea"]);
});

test.each(Object.keys(BUNDLERS))("%s finds 'skillset' from the project, wherever the skills are", async (bundler) => {
  const project = createProject({
    "app/package.json": '{ "type": "module" }',
    "app/main.js": 'export { default as skills } from "../skills?skillset";',
    "app/node_modules/skillset/package.json": '{ "name": "skillset", "type": "module", "exports": "./index.js" }',
    "app/node_modules/skillset/index.js": "export const restoreSkill = ({ name }) => ({ name, version: 'of app' });",
  });
  project.remove("node_modules");
  await BUNDLERS[bundler]?.(join(project.root, "app"), {}, []);
  expect(readFileSync(join(project.root, "app/dist/main.js"), "utf8")).toContain("of app");
  const { skills } = await project.import("app/dist/main.js");
  expect(skills).toEqual(["pdf", "tea"].map((name) => ({ name, version: "of app" })));
});

test.each([
  [{ polcy: "strict" }, "@skillset/unplugin has no option 'polcy'. Did you mean 'policy'?"],
  [null, "@skillset/unplugin takes an object with options, not null."],
  ["skills", '@skillset/unplugin takes an object with options, not the text "skills".'],
  [{ types: true }, "'types' must be the path of a file, or false, not true."],
  [{ rules: null }, "'rules' must be an object with a level for each problem, not null."],
  [{ maxFileBytes: "1" }, "'maxFileBytes' must be a number of bytes, not \"1\"."],
  [{ errors: "ignore" }, "'errors' must be 'fail' or 'warn', not 'ignore'."],
  [{ rules: { "hidden-text": "loud" } }, "The rule 'hidden-text' must be one of off, info, warning, error."],
  [{ maxFileBytes: -1 }, "'maxFileBytes' must be a number of bytes, not -1."],
])("%j is refused", (options, message) => {
  expect(() => skillset.rolldown(options as SkillsetPluginOptions)).toThrow(
    expect.objectContaining({ code: "option-invalid", message: expect.stringContaining(message) }),
  );
});
