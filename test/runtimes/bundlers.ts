import { join } from "node:path";
import { skillset } from "@skillset/unplugin";
import type { Configuration } from "webpack";
import type { Watch } from "../../packages/unplugin/src/testing/watchers.ts";

const PLUGIN = { types: false } as const;

/** Bundlers that only this folder installs. */
export const WATCHERS: Readonly<Record<"Rollup" | "webpack", Watch>> = {
  Rollup: async (root, onFailure) => {
    const { watch } = await import("rollup");
    const watcher = watch({
      input: join(root, "main.js"),
      external: ["skillset"],
      logLevel: "silent",
      plugins: [skillset.rollup(PLUGIN)],
      output: { dir: join(root, "dist") },
    });
    watcher.on("event", (event) => {
      if (event.code === "ERROR") onFailure();
      if (event.code === "BUNDLE_END" || event.code === "ERROR") event.result?.close();
    });
    return watcher;
  },
  webpack: async (root, onFailure) => {
    const { default: webpack } = await import("webpack");
    const compiler = webpack(webpackConfiguration(root));
    compiler?.watch({ aggregateTimeout: 20 }, (error, stats) => {
      if (error !== null || stats?.hasErrors()) onFailure();
    });
    return { close: () => new Promise((done) => compiler?.close(done)) };
  },
};

/** Builds once. */
export async function buildWithWebpack(root: string, configuration: Configuration = {}): Promise<void> {
  const { default: webpack } = await import("webpack");
  const compiler = webpack({ ...webpackConfiguration(root), ...configuration });
  if (compiler === null) throw new Error("webpack refused the configuration.");
  await new Promise<void>((resolve, reject) => {
    compiler.run((error, stats) => {
      const failure = error ?? (stats?.hasErrors() ? new Error(stats.toString("errors-only")) : undefined);
      compiler.close(() => (failure ? reject(failure) : resolve()));
    });
  });
}

/** `dist/main.js` is a module that exports what `main.js` exports. */
function webpackConfiguration(root: string): Configuration {
  return {
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
    externals: { skillset: "module skillset" },
    plugins: [skillset.webpack(PLUGIN)],
  };
}
