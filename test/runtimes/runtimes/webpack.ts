import { join } from "node:path";
import { buildWithWebpack } from "../bundlers.ts";
import { inRuntimes } from "../services.ts";
import { runAlone } from "./bundled.ts";
import { type Runtime, versionOf } from "./runtime.ts";

/** webpack without Next.js, for Node. */
export const WEBPACK: Runtime = {
  name: "webpack",
  version: versionOf("webpack"),
  isNode: true,
  isCompiled: true,
  run: async (places) => {
    const path = inRuntimes(".out/webpack");
    await buildWithWebpack(inRuntimes("."), {
      entry: inRuntimes("entries/main.ts"),
      output: { path, filename: "main.cjs", chunkFilename: "[contenthash].cjs" },
      externals: {},
    });
    return runAlone(join(path, "main.cjs"), places);
  },
};
