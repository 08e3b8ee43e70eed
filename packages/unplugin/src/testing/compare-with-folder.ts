import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { createSkillset, type Skill, type Skillset } from "skillset";
import { CATALOG_FORMATS } from "../../../skillset/src/core/catalog/catalog-format.ts";
import { type SkillsetPluginOptions, skillset } from "../index.ts";

/** What was compared, and each difference between skills that are compiled in and the same skills from a folder. */
export interface Comparison {
  readonly skills: number;
  readonly files: number;
  readonly differences: readonly string[];
  readonly buildMilliseconds: number;
  readonly firstChunkBytes: number;
  readonly chunks: number;
  readonly bundleBytes: number;
}

const LARGE = { maxFileBytes: 16 * 1024 * 1024, maxSkillBytes: 64 * 1024 * 1024 };

/** Compiles a folder of skills, runs the result, and compares it with the folder. */
export async function compareWithFolder(folder: string, options: SkillsetPluginOptions = {}): Promise<Comparison> {
  const root = mkdtempSync(join(tmpdir(), "skillset-compare-"));
  try {
    symlinkSync(resolve("node_modules"), join(root, "node_modules"));
    writeFileSync(join(root, "package.json"), '{ "type": "module" }');
    writeFileSync(
      join(root, "main.js"),
      `export { default, names } from ${JSON.stringify(`${resolve(folder)}?skillset`)};`,
    );
    const start = performance.now();
    await build(root, options);
    const buildMilliseconds = Math.round(performance.now() - start);
    const program = (await import(pathToFileURL(join(root, "dist/main.js")).href)) as {
      readonly default: readonly Skill[];
      readonly names: readonly string[];
    };
    const quiet = { requirements: false, onProblem: () => {} };
    const compiled = await createSkillset(program.default, quiet);
    const loaded = await createSkillset([resolve(folder)], { ...quiet, recursive: options.recursive ?? 1 });
    const { files, differences } = await compare(compiled, loaded);
    if (program.names.join() !== loaded.names.join()) differences.push("'names' differs");
    const sizes = readdirSync(join(root, "dist"), { encoding: "utf8" }).map(
      (name) => statSync(join(root, "dist", name)).size,
    );
    return {
      skills: loaded.size,
      files,
      differences,
      buildMilliseconds,
      firstChunkBytes: statSync(join(root, "dist/main.js")).size,
      chunks: sizes.length,
      bundleBytes: sizes.reduce((sum, size) => sum + size, 0),
    };
  } finally {
    rmSync(root, { recursive: true });
  }
}

async function build(root: string, options: SkillsetPluginOptions): Promise<void> {
  const bundle = await rolldown({
    cwd: root,
    input: "main.js",
    external: "skillset",
    plugins: [skillset.rolldown({ errors: "warn", ...LARGE, ...options })],
    onLog: () => {},
  });
  await bundle.write({ dir: join(root, "dist"), format: "esm", minify: true });
  await bundle.close();
}

async function compare(compiled: Skillset, loaded: Skillset): Promise<{ files: number; differences: string[] }> {
  const differences: string[] = [];
  const expectSame = (what: string, own: unknown, theirs: unknown): void => {
    if (own !== theirs) differences.push(what);
  };
  let count = 0;
  expectSame("names", JSON.stringify(compiled.names), JSON.stringify(loaded.names));
  for (const format of CATALOG_FORMATS) {
    for (const budget of [{ tokens: Number.POSITIVE_INFINITY }, { tokens: 8_000 }])
      expectSame(
        `catalog as ${format}`,
        compiled.catalog({ format, budget }).text,
        loaded.catalog({ format, budget }).text,
      );
  }
  for (const theirs of loaded.skills) {
    const own = compiled.get(theirs.name);
    if (own === undefined) continue;
    expectSame(`digest of ${own.name}`, await own.digest(), await theirs.digest());
    expectSame(`instructions of ${own.name}`, await instructionsOf(own), await instructionsOf(theirs));
    const listed = await Promise.all([own, theirs].map((skill) => pathsOf(skill)));
    expectSame(`files of ${own.name}`, listed[0]?.join(), listed[1]?.join());
    for (const path of listed[1] ?? []) {
      const [a, b] = await Promise.all([own.files.read(path), theirs.files.read(path)]);
      expectSame(`${path} of ${own.name}`, Buffer.compare(a, b), 0);
      count++;
    }
  }
  return { files: count, differences };
}

/** Some skills can be listed but not read: their instructions are not text. */
async function instructionsOf(skill: Skill): Promise<string> {
  return skill.instructions().catch((error: Error) => error.message);
}

async function pathsOf({ files }: Skill): Promise<string[]> {
  return (await files.list()).filter(({ kind }) => kind === "file").map(({ path }) => path);
}

/** Writes this many different skills with files below a folder. */
export function generateSkills(folder: string, count: number): void {
  for (let index = 0; index < count; index++) {
    const name = `skill-${index}`;
    const at = join(folder, name);
    mkdirSync(join(at, "references"), { recursive: true });
    const fields = [
      `name: ${index % 11 === 0 ? name.toUpperCase() : name}`,
      `description: ${FIELDS[index % FIELDS.length]} Number ${index}.`,
      ...(index % 3 === 0 ? ["metadata:", `  version: "1.${index}.0"`] : []),
      ...(index % 5 === 0 ? [`tags: [a${index}, { __proto__: b }, 1.5, true, null]`] : []),
      ...(index % 7 === 0 ? ["allowed-tools: Read Bash(git:*)", "argument-hint: FILE"] : []),
    ];
    const end = index % 13 === 0 ? "\r\n" : "\n";
    const text = ["---", ...fields, "---", "", `# ${name}`, "", `Read references/${index}.md. 語 </script>`, ""].join(
      end,
    );
    writeFileSync(join(at, "SKILL.md"), index % 17 === 0 ? `\ufeff${text}` : text);
    writeFileSync(join(at, `references/${index}.md`), `Reference ${index}.\n`.repeat(1 + (index % 20)));
    if (index % 4 === 0)
      writeFileSync(
        join(at, "data.bin"),
        Uint8Array.from({ length: 300 }, (_, at) => (at * 7 + index) % 256),
      );
  }
}

const FIELDS = [
  "Reads files.",
  "'Fills in: <forms> & \"more\".'",
  "Colon: unquoted.",
  ">-\n  Folded\n  text.",
  "Ünïcode – 語 😀.",
];
