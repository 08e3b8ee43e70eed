import { join } from "node:path";
import { build as buildWithEsbuild } from "esbuild";
import { rolldown } from "rolldown";
import { build as buildWithVite, createLogger } from "vite";
import { type SkillsetPluginOptions, skillset } from "../index.ts";

/** The result of a build: its warnings, and the entry in `dist/main.js`. */
export interface BuildResult {
  readonly warnings: readonly string[];
}

export type Build = (root: string, options?: SkillsetPluginOptions, external?: string[]) => Promise<BuildResult>;

const EXTERNAL = ["skillset"];

/** Builds `main.js` of a project into `dist/`, with `skillset` as an external package unless another list is given. */
export const BUNDLERS: Readonly<Record<string, Build>> = {
  vite: async (root, options, external = EXTERNAL) => {
    const warnings: string[] = [];
    const logger = { ...createLogger("silent"), warn: (text: string) => void warnings.push(text) };
    await buildWithVite({
      root,
      configFile: false,
      customLogger: logger,
      plugins: [skillset.vite(options)],
      build: {
        lib: { entry: "main.js", formats: ["es"], fileName: "main" },
        rolldownOptions: { external },
      },
    });
    return { warnings };
  },
  rolldown: async (root, options, external = EXTERNAL) => {
    const warnings: string[] = [];
    const bundle = await rolldown({
      cwd: root,
      input: "main.js",
      external,
      plugins: [skillset.rolldown(options)],
      onLog: (_level, log) => warnings.push(`${log.message} at ${log.loc?.file}:${log.loc?.line}`),
    });
    await bundle.write({ dir: join(root, "dist"), format: "esm" });
    await bundle.close();
    return { warnings };
  },
  esbuild: async (root, options, external = EXTERNAL) => {
    const { warnings } = await buildWithEsbuild({
      absWorkingDir: root,
      entryPoints: ["main.js"],
      outdir: "dist",
      bundle: true,
      splitting: true,
      format: "esm",
      external,
      logLevel: "silent",
      plugins: [skillset.esbuild(options)],
    });
    return { warnings: warnings.map(({ text }) => text) };
  },
};
