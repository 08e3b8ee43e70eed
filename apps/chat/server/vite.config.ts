import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { evaluatedModules } from "../../../scripts/build-plugins.ts";

const LIBRARY = fileURLToPath(new URL("../../../packages/skillset/src", import.meta.url));

// Builds the program of the package, with everything that it imports except the embedded database.
// biome-ignore lint/style/noDefaultExport: Vite reads it
export default defineConfig({
  ssr: { noExternal: true, external: ["@electric-sql/pglite"] },
  // The library's build has chunks that also load its commands.
  resolve: {
    alias: [
      { find: /^skillset$/, replacement: `${LIBRARY}/index.ts` },
      { find: /^skillset\/([\w-]+)$/, replacement: `${LIBRARY}/$1/index.ts` },
    ],
  },
  plugins: [evaluatedModules()],
  build: {
    ssr: true,
    outDir: "../dist/server",
    emptyOutDir: true,
    target: "node22.12",
    license: { fileName: "licenses.md" },
    // All modules are in one folder: see config/package-folder.ts.
    rolldownOptions: {
      input: "program.ts",
      output: { entryFileNames: "[name].js", chunkFileNames: "[name].js" },
      // The library imports the AI SDK when it is needed; the chat always needs it.
      checks: { ineffectiveDynamicImport: false },
    },
  },
});
