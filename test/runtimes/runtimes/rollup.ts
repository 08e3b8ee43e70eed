import { join } from "node:path";
import { skillset } from "@skillset/unplugin";
import type { Plugin } from "rollup";
import { inRuntimes } from "../services.ts";
import { runAlone } from "./bundled.ts";
import { PLUGIN, type Runtime, versionOf } from "./runtime.ts";

/** Rollup with its official plugins, for Node. */
export const ROLLUP: Runtime = {
  name: "Rollup",
  version: versionOf("rollup"),
  isNode: true,
  run: async (places) => {
    const [{ rollup }, { nodeResolve }, commonjs, json] = await Promise.all([
      import("rollup"),
      import("@rollup/plugin-node-resolve"),
      import("@rollup/plugin-commonjs"),
      import("@rollup/plugin-json"),
    ]);
    const dir = inRuntimes(".out/rollup");
    const bundle = await rollup({
      input: inRuntimes("entries/main.ts"),
      logLevel: "silent",
      plugins: [
        skillset.rollup(PLUGIN),
        nodeResolve({ exportConditions: ["node"], preferBuiltins: true }),
        // Some SDKs depend on packages in CommonJS.
        ...[commonjs, json].map(({ default: make }) => (make as unknown as () => Plugin)()),
        await stripTypes(),
      ],
    });
    await bundle.write({ dir, entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" });
    await bundle.close();
    return runAlone(join(dir, "main.mjs"), places);
  },
};

async function stripTypes(): Promise<Plugin> {
  const { transform } = await import("esbuild");
  return {
    name: "strip-types",
    transform: { filter: { id: /\.ts$/ }, handler: async (code) => (await transform(code, { loader: "ts" })).code },
  };
}
