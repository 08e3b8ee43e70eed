import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { skillset } from "@skillset/unplugin";
import type { Plugin } from "esbuild";
import type { ProgramResult } from "../program.ts";
import { inRuntimes } from "../services.ts";
import { PLUGIN, REQUIRE, type Runtime, TSCONFIG, versionOf } from "./runtime.ts";

export interface StartWorkerOptions {
  readonly bindings?: Readonly<Record<string, string>>;
  /** Whether the worker has the flag `nodejs_compat`, with which it may import modules of Node. */
  readonly hasNodeModules?: boolean;
}

/** Bundles a worker as wrangler does, and starts it in Cloudflare's runtime. */
export async function startWorker(entry: string, { bindings = {}, hasNodeModules = false }: StartWorkerOptions = {}) {
  const [{ build }, { Miniflare }] = await Promise.all([import("esbuild"), import("miniflare")]);
  const name = `${entry.replaceAll("/", "-")}${hasNodeModules ? "-node" : ""}`;
  const outfile = inRuntimes(`.out/workerd/${name}.mjs`);
  await build({
    entryPoints: [inRuntimes(entry)],
    bundle: true,
    platform: "browser",
    conditions: ["workerd", "worker", "browser"],
    format: "esm",
    outfile,
    logLevel: "error",
    tsconfig: TSCONFIG,
    // The OpenAI Agents SDK imports modules of Node.
    ...(hasNodeModules
      ? { plugins: [skillset.esbuild(PLUGIN), nodeModules], banner: { js: REQUIRE } }
      : { plugins: [skillset.esbuild(PLUGIN)], external: ["@openai/agents"] }),
  });
  const worker = new Miniflare({
    modules: [{ type: "ESModule", path: outfile, contents: readFileSync(outfile, "utf8") }],
    compatibilityDate: "2026-07-01",
    compatibilityFlags: hasNodeModules ? ["nodejs_compat"] : [],
    bindings: { ...bindings },
  });
  await worker.ready;
  return worker;
}

const BUILTINS = new RegExp(`^(?:node:)?(?:${builtinModules.join("|")})$`);

/** Leaves the modules of Node to the runtime, as wrangler does. */
const nodeModules: Plugin = {
  name: "node-modules",
  setup: ({ onResolve }) =>
    onResolve({ filter: BUILTINS }, ({ path }) => ({ path: `node:${path.replace(/^node:/, "")}`, external: true })),
};

/** Without and with the modules of Node that Cloudflare offers. */
export const WORKERD: readonly Runtime[] = [false, true].map((hasNodeModules) => ({
  name: `Cloudflare Workers (workerd${hasNodeModules ? ", nodejs_compat" : ""})`,
  version: versionOf("workerd"),
  isNode: false,
  ...(!hasNodeModules && { lacks: { "openai-agents": "needs the flag nodejs_compat" } }),
  run: async (places) => {
    const worker = await startWorker("entries/worker.ts", { hasNodeModules });
    try {
      const response = await worker.dispatchFetch("http://localhost/", {
        method: "POST",
        body: JSON.stringify(places),
      });
      if (!response.ok) throw new Error(await response.text());
      return (await response.json()) as ProgramResult;
    } finally {
      await worker.dispose();
    }
  },
}));
