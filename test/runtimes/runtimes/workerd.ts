import { skillset } from "@skillset/unplugin";
import type { ProgramResult } from "../program.ts";
import { inRuntimes } from "../services.ts";
import { PLUGIN, type Runtime, versionOf } from "./runtime.ts";

/** Bundles a worker as wrangler does, and starts it in Cloudflare's runtime. */
export async function startWorker(entry: string, bindings: Readonly<Record<string, string>> = {}) {
  const [{ build }, { Miniflare }] = await Promise.all([import("esbuild"), import("miniflare")]);
  const outfile = inRuntimes(`.out/workerd/${entry.replaceAll("/", "-")}.mjs`);
  await build({
    entryPoints: [inRuntimes(entry)],
    bundle: true,
    platform: "browser",
    conditions: ["workerd", "worker", "browser"],
    format: "esm",
    outfile,
    logLevel: "error",
    plugins: [skillset.esbuild(PLUGIN)],
  });
  const options = { modules: true, scriptPath: outfile, compatibilityDate: "2026-07-01", bindings: { ...bindings } };
  const worker = new Miniflare(options);
  await worker.ready;
  return worker;
}

export const WORKERD: Runtime = {
  name: "Cloudflare Workers (workerd)",
  version: versionOf("workerd"),
  isNode: false,
  isCompiled: true,
  run: async (places) => {
    const worker = await startWorker("entries/worker.ts");
    try {
      const response = await worker.dispatchFetch(`http://localhost/?${new URLSearchParams({ ...places })}`);
      if (!response.ok) throw new Error(await response.text());
      return (await response.json()) as ProgramResult;
    } finally {
      await worker.dispose();
    }
  },
};
