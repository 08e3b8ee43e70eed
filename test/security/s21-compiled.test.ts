import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rollup } from "rollup";
import type { Skill } from "skillset";
import { expect, test } from "vitest";
import webpack from "webpack";
import { skillset } from "../../packages/unplugin/src/index.ts";
import { BUNDLERS } from "../../packages/unplugin/src/testing/bundlers.ts";
import { createProject, type Project } from "../../packages/unplugin/src/testing/project.ts";
import { report } from "./report.ts";

const CASES = Math.min(Number(process.env.CASES ?? 24), 200);
/** Skills in one build. */
const BATCH = 20;

type Builder = (root: string, external: string[]) => Promise<unknown>;

const ALL: Readonly<Record<string, Builder>> = {
  ...Object.fromEntries(
    Object.entries(BUNDLERS).map(([name, build]): [string, Builder] => [
      name,
      (root, external) => build(root, { types: false }, external),
    ]),
  ),
  rollup: async (root, external) => {
    const plugins = [skillset.rollup({ types: false })];
    const bundle = await rollup({ input: join(root, "main.js"), external, logLevel: "silent", plugins });
    await bundle.write({ dir: join(root, "dist"), format: "esm" });
    await bundle.close();
  },
  webpack: (root, external) => buildWithWebpack(root, external, [skillset.webpack({ types: false })]),
};

test(`S21: nothing in ${CASES} hostile skills runs in a build or in its bundle`, async () => {
  const skills = hostileSkills().slice(0, CASES);
  let through = 0;
  for (const [bundler, build] of Object.entries(ALL)) {
    for (let start = 0; start < skills.length; start += BATCH) {
      const some = skills.slice(start, start + BATCH);
      const project = createHostileProject(some);
      await build(project.root, ["skillset"]);
      const built = await project.import("dist/main.js");
      for (const skill of built.skills) await readAll(skill);
      expect(built.names, bundler).toHaveLength(some.length);
      through += ranIn(project);
    }
  }
  const control = await controls();
  const cases = skills.length * Object.keys(ALL).length;
  const tried = `hostile names and contents, compiled by ${Object.keys(ALL).join(", ")}`;
  report("S21", { tried, cases, through, control });
  expect(through).toBe(0);
}, 600_000);

test.each(Object.entries(ALL))(
  "S21: with %s, a skill does not replace the library in the bundle",
  async (_name, build) => {
    const library = { "package.json": '{ "main": "index.js", "exports": "./index.js", "sideEffects": true }' };
    const evil = `${RUN}export const restoreSkill = () => ({});\n`;
    const project = createHostileProject([
      {
        "node_modules/skillset/index.js": evil,
        "node_modules/skillset/package.json": library["package.json"],
        "x/node_modules/skillset/index.js": evil,
      },
    ]);
    project.write({
      "main.js": 'import one from "./skills/a0/SKILL.md";\nexport const skills = [one];\n',
    });
    await build(project.root, []).catch(() => {});
    const bundle = join(project.root, "dist/main.js");
    if (existsSync(bundle)) expect(readFileSync(bundle, "utf8")).not.toContain(RAN);
    expect(ranIn(project)).toBe(0);
  },
  300_000,
);

type Files = Readonly<Record<string, string>>;

const RAN = "skillset-s21-ran";
/** Runs in CommonJS and in modules, in a build and in a bundle. */
const RUN = `process.getBuiltinModule("node:fs").appendFileSync(process.env["${RAN}"] ?? "/dev/null", "ran\\n");\n`;

function createHostileProject(skills: readonly Files[]): Project {
  const files: Record<string, string> = {};
  for (const [index, one] of skills.entries()) {
    const name = `a${index}`;
    files[`skills/${name}/SKILL.md`] = `---\nname: ${name}\ndescription: Does.\n---\nDo it.\n`;
    for (const [path, text] of Object.entries(one)) files[`skills/${name}/${path}`] = text.replaceAll("NAME", name);
  }
  const project = createProject({
    ...files,
    "main.js": 'export { default as skills, names } from "./skills?skillset";\n',
  });
  for (const own of ["skills/pdf", "skills/tea"]) project.remove(own);
  process.env[RAN] = join(project.root, "ran.txt");
  return project;
}

function ranIn({ root }: Project): number {
  const marker = join(root, "ran.txt");
  return existsSync(marker) ? 1 : 0;
}

async function readAll(skill: Skill): Promise<void> {
  await skill.instructions();
  for (const { kind, path } of await skill.files.list()) if (kind === "file") await skill.files.read(path);
}

/** Names of folders that mean something to a bundler, a shell or an address. */
const FOLDERS = [
  ...["loader.cjs!", "!loader.cjs!", "!!loader.cjs!", "-!loader.cjs!", "loader.cjs?a=b!", "loader.cjs!loader.cjs!"],
  ...["!=!loader.cjs!", "loader.cjs!=!x", "x.js!=!loader.cjs!", "~21~loader.cjs!", "loader.cjs~21~", "loader.cjs%21"],
  ...[
    "a?b",
    "a#b",
    "a%23b",
    "a%00b",
    "a&b",
    "a;b",
    "a|b",
    "a*b",
    "a{b,c}",
    "a[b]",
    "a(b)",
    "a'b",
    'a"b',
    "a`b",
    `a\${b}`,
  ],
  ...[
    "data:text,x",
    "node:fs",
    "http:",
    "file:",
    "virtual:x",
    "@fs",
    "@id",
    "__vite-browser-external",
    "a\nb",
    "a\u2028b",
  ],
  ...[
    "</script>",
    "*/",
    "//",
    "-->",
    "<!--",
    "a\u0000".slice(0, 1),
    "...",
    ".x",
    "a b",
    "語",
    "😀",
    "a=b",
    "a,b",
    "a@b",
    "a+b",
  ],
];

/** Names of files that tools run or obey. */
const NAMES = [
  ...[
    "x.md",
    "index.js",
    "package.json",
    "vite.config.js",
    "webpack.config.cjs",
    "rollup.config.js",
    "postcss.config.cjs",
  ],
  ...[
    "tsconfig.json",
    "x.js?skillset",
    "x.js#y",
    "x.cjs!x",
    "x.css",
    "x.json",
    "x.node",
    "x.wasm",
    "x.html",
    ".env",
    "x.vue",
  ],
  ...[
    "x.md.skillset-file.js",
    "SKILL.md.skillset.js",
    "x.skillset.js",
    "x.d.ts",
    "x.ts",
    "x.mjs",
    "x`\u0024{1}`.js",
    "x\n.js",
  ],
];

/** Texts that escape from a string, a template, a comment or a page. */
const TEXTS = [
  `";${RUN}"`,
  `\`;${RUN}\``,
  `\${${RUN.trim().slice(0, -1)}}`,
  `\\";${RUN}//`,
  `*/${RUN}/*`,
  `\u2028${RUN}`,
  `\n${RUN}`,
  `</script><script>${RUN}</script>`,
  `#!/usr/bin/env node\n${RUN}`,
  `import.meta.glob("./*"); ${RUN}`,
];

function hostileSkills(): readonly Files[] {
  return Array.from({ length: 200 }, (_, index): Files => {
    const folder = FOLDERS[index % FOLDERS.length] ?? "";
    const name = NAMES[index % NAMES.length] ?? "";
    const text = TEXTS[index % TEXTS.length] ?? "";
    const files: Record<string, string> = {
      "loader.cjs": `${RUN}module.exports = () => "export default 1";\n`,
      "SKILL.md": `---\nname: NAME\ndescription: ${JSON.stringify(text)}\nmetadata: { "__proto__": ${JSON.stringify(text)} }\n---\n${text}\n`,
      [name]: name.endsWith(".json")
        ? JSON.stringify({ type: "commonjs", main: "loader.cjs", imports: { "#x": "./loader.cjs" } })
        : text,
    };
    if (!["", "//", "..."].includes(folder)) files[`${folder.replaceAll("/", "_")}/x.md`] = text;
    return files;
  });
}

/** The same attacks on code that pastes names and texts. */
async function controls(): Promise<string> {
  const project = createHostileProject([{ "loader.cjs": `${RUN}module.exports = () => "export default 1";\n` }]);
  const loaded = `${join(project.root, "skills/a0/loader.cjs")}!${join(project.root, "plain.js")}`;
  project.write({ "main.js": `import(${JSON.stringify(loaded)});\n`, "plain.js": "export default 1;\n" });
  await buildWithWebpack(project.root, [], []).catch(() => {});
  expect(ranIn(project), "the loader").toBe(1);
  let pasted = 0;
  for (const text of TEXTS) {
    for (const [open, close] of [
      ['"', '"'],
      ["`", "`"],
      ["/* ", " */"],
      ["", ""],
    ] as const) {
      const one = createHostileProject([]);
      one.write({ "naive.mjs": `export default ${open === "/* " ? "0 " : ""}${open}${text}${close};\n` });
      await import(pathToFileURL(join(one.root, "naive.mjs")).href).catch(() => {});
      pasted += ranIn(one);
    }
  }
  expect(pasted).toBeGreaterThan(3);
  return `a loader runs when webpack gets the path itself; ${pasted} of ${TEXTS.length * 4} pasted texts run`;
}

function buildWithWebpack(root: string, external: readonly string[], plugins: readonly object[]): Promise<void> {
  const compiler = webpack({
    context: root,
    entry: "./main.js",
    mode: "development",
    devtool: false,
    target: "node",
    experiments: { outputModule: true },
    output: {
      path: join(root, "dist"),
      filename: "main.js",
      chunkFilename: "[contenthash].js",
      library: { type: "module" },
    },
    externals: Object.fromEntries(external.map((name) => [name, `module ${name}`])),
    plugins: plugins as never,
  });
  return new Promise((done, fail) => {
    compiler?.run((error, stats) => {
      const failure = error ?? (stats?.hasErrors() ? new Error(stats.toString("errors-only")) : undefined);
      compiler.close(() => (failure ? fail(failure) : done()));
    });
  });
}
