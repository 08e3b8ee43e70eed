import { type ChildProcess, execFile, spawn } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import type { ProgramResult } from "../program.ts";
import { inRuntimes, type ScriptedModel, startModel } from "../services.ts";
import { runInBrowser } from "./browser.ts";
import { type Runtime, versionOf } from "./runtime.ts";

export type NextBundler = "webpack" | "Turbopack";

/** An application of Next.js: the recipe, and the routes that run the program. */
export interface NextApp {
  readonly origin: string;
  readonly model: ScriptedModel;
  close(): Promise<void>;
}

export const PROGRAM = inRuntimes("node_modules/next/dist/bin/next");
const apps = new Map<NextBundler, Promise<NextApp>>();

/** Builds and starts the application once for each bundler. */
export function openNext(bundler: NextBundler): Promise<NextApp> {
  const app = apps.get(bundler) ?? startNext(bundler);
  apps.set(bundler, app);
  return app;
}

export async function closeNext(): Promise<void> {
  for (const app of apps.values()) await (await app.catch(() => undefined))?.close();
}

async function startNext(bundler: NextBundler): Promise<NextApp> {
  const cwd = inRuntimes(`.out/next-${bundler.toLowerCase()}`);
  rmSync(cwd, { recursive: true, force: true });
  cpSync(inRuntimes("recipes/next"), cwd, { recursive: true });
  cpSync(`${cwd}/next.config.ts`, `${cwd}/recipe.config.ts`);
  cpSync(inRuntimes("next-routes"), cwd, { recursive: true });
  for (const file of ["program.ts", "adapters.ts", "compiled-skills.d.ts", "fixtures", ".out/many-skills"])
    cpSync(inRuntimes(file), join(cwd, basename(file)), { recursive: true });
  const { NODE_ENV: _mode, ...others } = process.env;
  const model = await startModel();
  if (bundler === "webpack") cpSync(`${cwd}/folder.webpack.ts`, `${cwd}/folder.ts`);
  const env = {
    ...others,
    MODEL_URL: `${model.url}/v1`,
    WORKSPACE_ROOT: inRuntimes("../.."),
    NEXT_TELEMETRY_DISABLED: "1",
    CI: "1",
  } as NodeJS.ProcessEnv;
  await promisify(execFile)(process.execPath, [PROGRAM, "build", `--${bundler.toLowerCase()}`], {
    cwd,
    env,
    maxBuffer: 100_000_000,
  }).catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
    throw new Error(`next build failed:\n${stdout}\n${stderr}`);
  });
  const server = spawn(process.execPath, [PROGRAM, "start", "-p", "0", "-H", "127.0.0.1"], { cwd, env });
  return {
    origin: await readOrigin(server),
    model,
    close: async () => {
      server.kill();
      await model.close();
    },
  };
}

export function readOrigin(server: ChildProcess): Promise<string> {
  let output = "";
  return new Promise((resolve, reject) => {
    server.once("exit", () => reject(new Error(`next start ended:\n${output}`)));
    server.stderr?.on("data", (chunk) => {
      output += String(chunk);
    });
    server.stdout?.on("data", (chunk) => {
      output += String(chunk);
      const [origin] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [];
      if (origin !== undefined && output.includes("Ready")) resolve(origin);
    });
  });
}

/** A route on Node, one on the edge, and a page in Chromium, from both bundlers. */
export const NEXT: readonly Runtime[] = (["Turbopack", "webpack"] as const).flatMap((bundler) =>
  (["server", "edge", "client"] as const).map(
    (route): Runtime => ({
      name: `Next.js, ${bundler}, ${route === "client" ? "browser" : route}`,
      version: versionOf("next"),
      isNode: route === "server",
      ...(route === "edge" && { lacks: { "openai-agents": "CustomEvent is not defined" } }),
      run: async (places) => {
        const { origin } = await openNext(bundler);
        if (route === "client") return runInBrowser(`${origin}/client`, places);
        const response = await fetch(`${origin}/${route}`, { method: "POST", body: JSON.stringify(places) });
        if (!response.ok) throw new Error(await response.text());
        return (await response.json()) as ProgramResult;
      },
    }),
  ),
);
