import { join } from "node:path";
import { skillset } from "@skillset/unplugin";
import { buildWithWebpack } from "../bundlers.ts";
import { inRuntimes } from "../services.ts";
import { runAlone } from "./bundled.ts";
import { PLUGIN, type Runtime, versionOf } from "./runtime.ts";

/** webpack without Next.js, for Node. */
export const WEBPACK: Runtime = {
  name: "webpack",
  version: versionOf("webpack"),
  isNode: true,
  run: async (places) => {
    const path = inRuntimes(".out/webpack");
    await buildWithWebpack(inRuntimes("."), {
      entry: inRuntimes("entries/main.ts"),
      output: { path, filename: "main.cjs", chunkFilename: "[contenthash].cjs" },
      externals: {},
      plugins: [skillset.webpack(PLUGIN)],
    });
    return runAlone(join(path, "main.cjs"), places);
  },
};
