import { execFile, spawnSync } from "node:child_process";
import { linkSync, readdirSync, readFileSync, realpathSync, statSync, utimesSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { withFileLock } from "skillset/node";
import { expect, onTestFinished, test, vi } from "vitest";
import { Declarations } from "./declarations.ts";
import { BUNDLERS } from "./testing/bundlers.ts";
import { createProject, type Project } from "./testing/project.ts";

const TSCONFIG = JSON.stringify({
  compilerOptions: {
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
    strict: true,
    noEmit: true,
    types: [],
    skipLibCheck: true,
  },
  include: ["*.ts"],
});

const USES = `import { createSkillset } from "skillset";
import pdf from "./skills/pdf/SKILL.md";
import same from "./skills/pdf/SKILL.md?skillset";
import other from "./skills/other/SKILL.md";
import skills, { names } from "./skills?skillset";
import unknown, { names as strings } from "./elsewhere?skillset";
import page from "./page.md";

type Name = (typeof names)[number];
const both: readonly ["pdf", "tea"] = names;
const each: Name = skills[0]!.name;
const literal: "pdf" = pdf.name;
const again: "pdf" = same.name;
const any: string = other.name;
const some: readonly string[] = strings;
const markdown: number = page;
await createSkillset([...skills, pdf, ...unknown]);
// @ts-expect-error A name that does not exist.
const missing: Name = "coffee";
// @ts-expect-error It is a literal.
const wrong: "tea" = pdf.name;
export { again, any, both, each, literal, markdown, missing, some, wrong };
`;

function compile({ root }: Project): string {
  const tsc = realpathSync(resolve("node_modules/.bin/tsc"));
  return spawnSync(process.execPath, [tsc, "-p", root], { encoding: "utf8" }).stdout;
}

const build = (project: Project, bundler = "vite") => BUNDLERS[bundler]?.(project.root);
const read = ({ root }: Project) => readFileSync(join(root, "skillset-env.d.ts"), "utf8");

test("the names of compiled skills are literals, and other Markdown keeps its type", async () => {
  const project = createProject({
    "tsconfig.json": TSCONFIG,
    "uses.ts": USES,
    "z-markdown.d.ts": 'declare module "*.md" { const page: number; export default page; }',
  });
  await build(project);
  expect(compile(project)).toBe("");
});

test("a removed skill is an error of types where its name is used", async () => {
  const project = createProject({ "tsconfig.json": TSCONFIG, "uses.ts": USES });
  await build(project);
  project.remove("skills/tea");
  await build(project);
  expect(compile(project)).toContain(`Type 'readonly ["pdf"]' is not assignable to type 'readonly ["pdf", "tea"]'`);
});

test.each(Object.keys(BUNDLERS))("%s writes the same file, without paths of the machine", async (bundler) => {
  const [project, expected] = [0, 1].map(() => createProject({ "tsconfig.json": TSCONFIG })) as [Project, Project];
  await build(project, bundler);
  await build(expected);
  expect(read(project)).toBe(read(expected));
  expect(read(project)).not.toContain(project.root);
});

test("the file is not written again if nothing changed", async () => {
  const project = createProject({ "tsconfig.json": TSCONFIG });
  await build(project);
  const file = join(project.root, "skillset-env.d.ts");
  utimesSync(file, 1, 1);
  await build(project);
  expect(statSync(file).mtimeMs).toBe(1_000);
});

test("a build that imports less keeps the types of other imports while their folders exist", async () => {
  const project = createProject({ "tsconfig.json": TSCONFIG });
  await build(project);
  project.write({ "main.js": 'export { default } from "./skills/tea/SKILL.md";' });
  await build(project);
  expect(read(project)).toContain('readonly ["pdf", "tea"]');
  project.remove("skills/pdf");
  await build(project);
  expect(read(project)).not.toContain("/pdf/SKILL.md");
});

test("folders whose paths end alike have separate types, and an ambiguous one has strings", async () => {
  const tea = "---\nname: green\ndescription: Tea.\n---\n";
  const project = createProject({
    "tsconfig.json": TSCONFIG,
    "web/skills/green/SKILL.md": tea,
    "main.js": 'import a from "./skills?skillset"; import b from "./web/skills?skillset"; export { a, b };',
    "uses.ts": `import a from "./skills?skillset";
import b from "./web/skills?skillset";
const green: "green" = b[0]!.name;
const text: string = a[0]!.name;
// @ts-expect-error The names are strings.
const literal: "pdf" | "tea" = a[0]!.name;
export { green, literal, text };
`,
  });
  await build(project);
  expect(compile(project)).toBe("");
});

test("no file is written without a tsconfig.json or with 'types: false'", async () => {
  const [plain, disabled] = [createProject(), createProject({ "tsconfig.json": TSCONFIG })];
  await build(plain);
  await BUNDLERS.vite?.(disabled.root, { types: false });
  expect(() => read(plain)).toThrow("ENOENT");
  expect(() => read(disabled)).toThrow("ENOENT");
});

test("'types' names another file", async () => {
  const { root } = createProject({ "src/main.ts": "" });
  await BUNDLERS.rolldown?.(root, { types: "src/skills.d.ts" });
  expect(readFileSync(join(root, "src/skills.d.ts"), "utf8")).toContain('declare module "*/skills?skillset"');
});

test("'types' never overwrites a file that the plugin did not write", async () => {
  const own = '/// <reference types="vite/client" />\n';
  const { root } = createProject({ "vite-env.d.ts": own });
  await expect(BUNDLERS.rolldown?.(root, { types: "vite-env.d.ts" })).rejects.toThrow(
    /'.*vite-env\.d\.ts' was not written by @skillset\/unplugin\. .*'types'/,
  );
  expect(readFileSync(join(root, "vite-env.d.ts"), "utf8")).toBe(own);
});

test("a damaged comment in the file is ignored, and no other file stays beside it", async () => {
  const project = createProject({ "tsconfig.json": TSCONFIG });
  await build(project);
  const written = read(project);
  const [head = ""] = written.split("\n", 1);
  project.write({ "skillset-env.d.ts": `${head}\n// "./skills/tea": ["tea",]\n// "./\\skills": []\n` });
  await build(project);
  expect(read(project)).toBe(written);
  expect(readdirSync(project.root).filter((name) => name.includes("skillset-env"))).toEqual(["skillset-env.d.ts"]);
});

test("the file is replaced, not written in place", async () => {
  const project = createProject({ "tsconfig.json": TSCONFIG });
  await build(project);
  const before = read(project);
  linkSync(join(project.root, "skillset-env.d.ts"), join(project.root, "before.txt"));
  project.remove("skills/tea");
  await build(project);
  expect(read(project)).not.toBe(before);
  expect(readFileSync(join(project.root, "before.txt"), "utf8")).toBe(before);
});

const WRITER = `
import { Declarations } from ${JSON.stringify(join(import.meta.dirname, "declarations.ts"))};
const [root, ...paths] = process.argv.slice(1);
const declarations = new Declarations(root, undefined);
for (const path of paths) declarations.set(path, [path.slice(-4)]);
`;

test("processes that write at the same time keep the types of each other", async () => {
  const project = createProject({ "tsconfig.json": TSCONFIG });
  const names = Array.from({ length: 60 }, (_, index) => `s-${10 + index}`);
  project.write(Object.fromEntries(names.map((name) => [`many/${name}/notes.md`, ""])));
  const run = async (own: readonly string[]) => {
    const paths = own.map((name) => join(project.root, "many", name));
    await promisify(execFile)(process.execPath, ["--input-type=module", "-e", WRITER, project.root, ...paths]);
  };
  await Promise.all([0, 1, 2, 3].map((part) => run(names.filter((_, index) => index % 4 === part))));
  expect(names.filter((name) => !read(project).includes(`// "./many/${name}": ["${name}"]`))).toEqual([]);
  expect(readdirSync(project.root).filter((name) => name.includes("skillset-env"))).toEqual(["skillset-env.d.ts"]);
});

test("the lock of a process that was killed does not stop a build", async () => {
  const project = createProject({ "tsconfig.json": TSCONFIG, "skillset-env.d.ts.lock": "" });
  utimesSync(join(project.root, "skillset-env.d.ts.lock"), 1, 1);
  await build(project);
  expect(read(project)).toContain('readonly ["pdf", "tea"]');
  expect(readdirSync(project.root)).not.toContain("skillset-env.d.ts.lock");
});

test("a build that cannot get the lock fails, and neither writes nor removes the lock", () => {
  const project = createProject({ "tsconfig.json": TSCONFIG });
  const lock = join(project.root, "skillset-env.d.ts.lock");
  const declarations = new Declarations(project.root, undefined);
  const start = Date.now();
  let asked = 0;
  onTestFinished(() => void vi.restoreAllMocks());
  withFileLock(lock, () => {
    vi.spyOn(Date, "now").mockImplementation(() => start + 6_000 * asked++);
    expect(() => declarations.set(join(project.root, "skills/tea"), ["tea"])).toThrow(
      /^Another process is writing '.*skillset-env\.d\.ts'\. If none is running, remove '.*\.lock' and build again\.$/,
    );
    expect(readdirSync(project.root).filter((name) => name.includes("skillset-env"))).toEqual([
      "skillset-env.d.ts.lock",
    ]);
  });
});
