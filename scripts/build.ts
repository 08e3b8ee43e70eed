// Builds the package. The modules of the library become a few files, because every file that a program imports costs
// it half a millisecond; `npm run bench` shows it. The types stay a file a module.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("../packages/skillset/", import.meta.url));
rmSync(`${root}dist`, { recursive: true, force: true });

const bundle = await rolldown({
  input: { index: `${root}src/index.ts`, "node/index": `${root}src/node/index.ts`, "cli/main": `${root}src/cli/main.ts` },
  external: (id) => /^[a-z@]/.test(id),
  platform: "node",
});
await bundle.write({
  dir: `${root}dist`,
  format: "esm",
  sourcemap: true,
  chunkFileNames: "chunks/[name].js",
  codeSplitting: {
    groups: [
      // But for what few programs need, and what is therefore loaded when they do.
      { name: "library", test: /src\/(?:core|node)\/(?!rank|words|term-weights|similar|watch|lint)/ },
      { name: "commands", test: /src\/cli\/(?!list|validate|prompt|new|doctor|trust|tour|main)/ },
    ],
  },
});
await bundle.close();

const { status } = spawnSync("tsc", ["-p", `${root}tsconfig.build.json`], { stdio: "inherit", shell: process.platform === "win32" });
process.exitCode = status ?? 1;
