// Builds the packages. A library's modules are bundled into a few files, because every imported file costs half a
// millisecond (see `npm run bench`). The types stay in one file per module.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type RolldownOutput, rolldown } from "rolldown";
import { builtinsWithoutFacade, evaluatedModules, inlinedDependencies, webVariants } from "./build-plugins.ts";
import { entryPoints, listPackages, type Manifest, type Package } from "./packages.ts";

for (const one of listPackages()) if (one.manifest.exports !== undefined) await build(one);

async function build({ folder, manifest }: Package): Promise<void> {
  // Built next to the previous build and then swapped in, so that running programs are not interrupted.
  const fresh = resolve(folder, `dist-${process.pid}`);
  const [first, ...others] = entryPoints(manifest).map(({ source }) => source);
  const programs = binSources(folder, manifest);
  const inlined = Object.keys(manifest.devDependencies ?? {});
  const bundle = await rolldown({
    input: Object.fromEntries(
      [first ?? "", ...others, ...programs].map((path) => [/^src\/(.+)\.ts$/.exec(path)?.[1], resolve(folder, path)]),
    ),
    external: (id) => /^(?!node:)[a-z@]/.test(id) && !inlined.includes(id),
    platform: "node",
    plugins: [builtinsWithoutFacade(), evaluatedModules(), inlinedDependencies(resolve(folder), inlined)],
    treeshake: { propertyReadSideEffects: false },
  });
  const { output } = await bundle.write({
    dir: fresh,
    format: "esm",
    chunkFileNames: "chunks/[name].js",
    // Comments and non-ASCII text make a file slower to parse; the type declarations keep the comments.
    comments: { jsdoc: false },
    charset: "ascii",
    codeSplitting: {
      groups: [
        // The static imports of the main entry point are one file; its dynamic imports stay separate.
        { name: "library", test: (id) => id === resolve(folder, first ?? "") },
        // So is the code that several commands share.
        ...programs.map((path) => ({
          name: "commands",
          test: (id: string) => id.startsWith(resolve(folder, path, "..")),
          minShareCount: 2,
        })),
      ],
    },
  });
  await bundle.close();
  await buildWeb(folder, manifest, join(fresh, "web"));
  writeRefusals(manifest, fresh, output);
  const parameters = ["-p", join(folder, "tsconfig.build.json"), "--outDir", fresh];
  const { status } = spawnSync("tsc", parameters, { stdio: "inherit", shell: process.platform === "win32" });
  rmSync(join(folder, "dist"), { recursive: true, force: true });
  renameSync(fresh, join(folder, "dist"));
  if (status !== 0) process.exitCode = 1;
}

/**
 * The entry points without Node. Browsers and workers get them through a bundler, so each module stays a file: a
 * program then contains only the modules that it uses, and loads the others when it needs them.
 */
async function buildWeb(folder: string, manifest: Manifest, dir: string): Promise<void> {
  const inlined = Object.keys(manifest.devDependencies ?? {});
  const input = entryPoints(manifest).flatMap(({ source, isWeb }) => (isWeb ? [resolve(folder, source)] : []));
  if (input.length === 0) return;
  const bundle = await rolldown({
    input,
    external: (id) => /^[a-z@]/.test(id) && !inlined.includes(id),
    platform: "browser",
    plugins: [webVariants(), evaluatedModules(), inlinedDependencies(resolve(folder), inlined)],
    treeshake: { propertyReadSideEffects: false },
  });
  await bundle.write({
    dir,
    format: "esm",
    comments: { jsdoc: false },
    preserveModules: true,
    preserveModulesRoot: resolve(folder, "src"),
    entryFileNames: "[name].js",
  });
  await bundle.close();
}

/**
 * Entry points that need Node are a readable error elsewhere. Each has the names of the real one, because a bundler
 * would report a missing name instead.
 */
function writeRefusals(manifest: Manifest, dir: string, output: RolldownOutput["output"]): void {
  for (const { specifier, source, refusal } of entryPoints(manifest)) {
    if (refusal === undefined) continue;
    const built = output.find((part) => part.type === "chunk" && part.isEntry && `src/${part.name}.ts` === source);
    if (built?.type !== "chunk") throw new Error(`${source} was not built.`);
    const message = `${specifier} needs Node, Bun or Deno, and this program was built to run without them. Import it only where they are available. If this program runs on Node, set the platform of your bundler to Node.`;
    const file = join(dir, refusal.replace("./dist/", ""));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `throw new Error(${JSON.stringify(message)});\nexport let ${built.exports.join(", ")};\n`);
  }
}

/** The modules that the programs in `bin` import. */
function binSources(folder: string, { bin = {} }: Manifest): string[] {
  return Object.values(bin).flatMap((program) => {
    const imports = readFileSync(join(folder, program), "utf8").matchAll(/import\("\.\.\/dist\/([^"]+)\.js"\)/g);
    return [...imports].map(([, path]) => `src/${path}.ts`);
  });
}
