import { pathToFileURL } from "node:url";
import { skillset } from "@skillset/unplugin";
import type { Places, ProgramResult } from "../program.ts";
import { inRuntimes } from "../services.ts";
import { PLUGIN, type Runtime, runFile, versionOf } from "./runtime.ts";

const MAIN = inRuntimes("entries/direct.ts");
const QUIET = "--disable-warning=ExperimentalWarning";

/** Runtimes that run the TypeScript program as it is, with a module of compiled skills. */
export const DIRECT: readonly Runtime[] = [
  {
    name: "Node 22.12, the oldest",
    version: versionOf("node-22.12"),
    isNode: true,
    run: (places) => run(nodeOf("22.12"), [QUIET, "--experimental-strip-types", MAIN], places),
  },
  ...[22, 24, 26].map(
    (major): Runtime => ({
      name: `Node ${major}`,
      version: major === 24 ? process.versions.node : versionOf(`node-${major}`),
      isNode: true,
      run: (places) => run(major === 24 ? process.execPath : nodeOf(major), [QUIET, MAIN], places),
    }),
  ),
  {
    name: "Bun",
    version: versionOf("bun"),
    isNode: true,
    run: (places) => run(inRuntimes("node_modules/bun/bin/bun.exe"), [MAIN], places),
  },
  {
    name: "Deno",
    version: versionOf("deno"),
    isNode: true,
    run: (places) =>
      run(inRuntimes("node_modules/.bin/deno"), ["run", "-A", "--no-lock", "--node-modules-dir=manual", MAIN], places),
  },
];

function nodeOf(version: string | number): string {
  return inRuntimes(`node_modules/node-${version}/bin/node`);
}

async function run(program: string, parameters: readonly string[], places: Places): Promise<ProgramResult> {
  compiling ??= compile();
  return runFile(program, parameters, places, await compiling);
}

let compiling: Promise<string> | undefined;

/** Makes a module of compiled skills that imports the library, and returns its URL. */
async function compile(): Promise<string> {
  const { build } = await import("rolldown");
  const file = inRuntimes(".out/compiled/compiled.mjs");
  await build({
    input: inRuntimes("compiled.ts"),
    external: "skillset",
    platform: "node",
    logLevel: "silent",
    plugins: [skillset.rolldown(PLUGIN)],
    output: { dir: inRuntimes(".out/compiled"), cleanDir: true, entryFileNames: "[name].mjs" },
  });
  return pathToFileURL(file).href;
}
