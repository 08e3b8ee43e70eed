import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** `npm run dev -w apps/chat` serves the page and proxies the API of a running server. */
const api = process.env.CHAT_API ?? "http://127.0.0.1:4173";

// biome-ignore lint/style/noDefaultExport: Vite reads it
export default defineConfig({
  plugins: [react()],
  server: { proxy: { "/api": api } },
  build: {
    target: ["chrome125", "firefox128", "safari17.5"],
    // The content security policy forbids `data:` sources.
    assetsInlineLimit: 0,
    // React, the AI SDK and a Markdown parser: 190 KB compressed, cached by the browser.
    chunkSizeWarningLimit: 700,
    // The polyfill needs an inline script, which the content security policy forbids.
    modulePreload: { polyfill: false },
  },
});
