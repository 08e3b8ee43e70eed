import { inRuntimes } from "../services.ts";
import { type Runtime, runFile, versionOf } from "./runtime.ts";

const MAIN = inRuntimes("entries/direct.ts");

/** Runtimes that run the TypeScript program as it is. */
export const DIRECT: readonly Runtime[] = [
  ...[22, 24, 26].map((major): Runtime => {
    const binary = major === 24 ? process.execPath : inRuntimes(`node_modules/node-${major}/bin/node`);
    return {
      name: `Node ${major}`,
      version: major === 24 ? process.versions.node : versionOf(`node-${major}`),
      isNode: true,
      isCompiled: false,
      run: (places) => runFile(binary, ["--disable-warning=ExperimentalWarning", MAIN], places),
    };
  }),
  {
    name: "Bun",
    version: versionOf("bun"),
    isNode: true,
    isCompiled: false,
    run: (places) => runFile(inRuntimes("node_modules/bun/bin/bun.exe"), [MAIN], places),
  },
  {
    name: "Deno",
    version: versionOf("deno"),
    isNode: true,
    isCompiled: false,
    run: (places) =>
      runFile(
        inRuntimes("node_modules/.bin/deno"),
        ["run", "-A", "--no-lock", "--node-modules-dir=manual", MAIN],
        places,
      ),
  },
];
