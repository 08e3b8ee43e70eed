import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { skillset } from "@skillset/unplugin";
import type { Places, ProgramResult } from "../program.ts";
import { inRuntimes } from "../services.ts";
import { PLUGIN, REQUIRE, type Runtime, runFile, TSCONFIG, versionOf } from "./runtime.ts";

const MAIN = inRuntimes("entries/main.ts");

/** Bundlers whose output runs on Node. */
export const BUNDLED: readonly Runtime[] = [
  ...(["esm", "cjs"] as const).map((format): Runtime => {
    const out = inRuntimes(`.out/esbuild-${format}/main.${format === "esm" ? "mjs" : "cjs"}`);
    return {
      name: `esbuild, ${format === "esm" ? "ES modules" : "CommonJS"}`,
      version: versionOf("esbuild"),
      isNode: true,
      run: async (places) => {
        const { build } = await import("esbuild");
        const splitting =
          format === "esm"
            ? { splitting: true, outdir: dirname(out), outExtension: { ".js": ".mjs" }, banner: { js: REQUIRE } }
            : { outfile: out };
        await build({
          entryPoints: [MAIN],
          bundle: true,
          platform: "node",
          format,
          logLevel: "error",
          tsconfig: TSCONFIG,
          plugins: [skillset.esbuild(PLUGIN)],
          ...splitting,
        });
        return runAlone(out, places);
      },
    };
  }),
  {
    name: "Rolldown",
    version: versionOf("rolldown"),
    isNode: true,
    run: async (places) => {
      const { build } = await import("rolldown");
      const dir = inRuntimes(".out/rolldown");
      await build({
        input: MAIN,
        platform: "node",
        logLevel: "silent",
        plugins: [skillset.rolldown(PLUGIN)],
        output: { dir, entryFileNames: "[name].mjs" },
      });
      return runAlone(join(dir, "main.mjs"), places);
    },
  },
  {
    name: "Vite, server",
    version: versionOf("vite"),
    isNode: true,
    run: async (places) => {
      const { build } = await import("vite");
      const outDir = inRuntimes(".out/vite-server");
      const output = { entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" };
      await build({
        configFile: false,
        root: inRuntimes("entries"),
        logLevel: "error",
        plugins: [skillset.vite(PLUGIN)],
        ssr: { noExternal: true },
        build: { ssr: MAIN, outDir, emptyOutDir: true, rolldownOptions: { output } },
      });
      return runAlone(join(outDir, "main.mjs"), places);
    },
  },
];

/** Runs a bundle in a folder where it finds no packages. */
export async function runAlone(file: string, places: Places): Promise<ProgramResult> {
  const folder = mkdtempSync(join(tmpdir(), "skillset-bundle-"));
  try {
    cpSync(dirname(file), folder, { recursive: true });
    return await runFile(process.execPath, [join(folder, file.slice(dirname(file).length + 1))], places);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
