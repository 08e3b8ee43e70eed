import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** `npm run dev -w apps/chat` shows the page with the API of a server that runs already. */
const api = process.env.CHAT_API ?? "http://127.0.0.1:4173";

// biome-ignore lint/style/noDefaultExport: Vite reads it
export default defineConfig({
  plugins: [react()],
  server: { proxy: { "/api": api } },
  build: {
    target: ["chrome125", "firefox128", "safari17.5"],
    // The page's policy allows no `data:` sources.
    assetsInlineLimit: 0,
    // React, the AI SDK and a Markdown parser: 190 KB on the wire, and kept by the browser.
    chunkSizeWarningLimit: 700,
    // The server sends the policy; a polyfill for module preloading would need an inline script.
    modulePreload: { polyfill: false },
  },
});
