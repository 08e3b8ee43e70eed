import { appendFileSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** `npm run dev -w apps/chat` serves the page and proxies the API of a running server. */
const api = process.env.CHAT_API ?? "http://127.0.0.1:4173";

// biome-ignore lint/style/noDefaultExport: Vite reads it
export default defineConfig({
  plugins: [react(), compressFiles(), addLicenses()],
  worker: { format: "es" },
  server: { proxy: { "/api": api } },
  build: {
    target: ["chrome125", "firefox128", "safari17.5"],
    // The content security policy forbids `data:` sources.
    assetsInlineLimit: 0,
    // The polyfill needs an inline script, which the content security policy forbids.
    modulePreload: { polyfill: false },
    license: { fileName: "licenses.md" },
  },
});

/** Adds the licenses of what the bundler does not list: fonts, and what only the worker uses. */
function addLicenses(): Plugin {
  const file = fileURLToPath(new URL("./dist/licenses.md", import.meta.url));
  return {
    name: "add-licenses",
    apply: "build",
    closeBundle: () => {
      for (const name of ["@fontsource-variable/inter", "shiki"]) {
        const folder = findPackageJSON(name, import.meta.url)?.replace(/package\.json$/, "") ?? "";
        appendFileSync(file, `\n## ${name}\n\n${readFileSync(join(folder, "LICENSE"), "utf8")}`);
      }
    },
  };
}

/** Writes a `.br` and a `.gz` file beside each text, which the server sends to browsers that accept them. */
function compressFiles(): Plugin {
  const folder = fileURLToPath(new URL("./dist/", import.meta.url));
  return {
    name: "compress-files",
    apply: "build",
    closeBundle: () => {
      for (const path of globSync("assets/*.{js,css}", { cwd: folder })) {
        const text = readFileSync(join(folder, path));
        writeFileSync(join(folder, `${path}.br`), brotliCompressSync(text));
        writeFileSync(join(folder, `${path}.gz`), gzipSync(text, { level: 9 }));
      }
    },
  };
}
