import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import type { Places, ProgramResult } from "../program.ts";
import { inRuntimes } from "../services.ts";

/** Options of the plugin that compiles skills in. Of real skills, some are broken: they are left out. */
export const PLUGIN = { types: false, errors: "warn" } as const;

/**
 * The banner for esbuild. Packages in CommonJS call `require`, which ES modules do not have: the OpenAI Agents SDK
 * depends on some.
 */
export const REQUIRE = `import { createRequire as makeRequire } from "node:module"; const require = makeRequire("file:///");`;

/**
 * For esbuild, which otherwise reads the one of the repository for our packages: its `paths` lead to the sources, which no
 * program outside the repository has.
 */
export const TSCONFIG = inRuntimes("tsconfig.json");

export const MISSING = "run `npm run runtimes:install` first";

/** Skips a test that lacks something, or fails it in CI, where nothing may be missing. */
export function needs(isThere: boolean, otherwise: string, skip: (isMissing: boolean, why: string) => void): void {
  if (isThere) return;
  if (process.env.CI) throw new Error(otherwise);
  skip(true, otherwise);
}

/** A runtime, or a bundler with the runtime that its output is for. */
export interface Runtime {
  readonly name: string;
  /** Undefined if it is not installed. */
  readonly version: string | undefined;
  /** Whether programs have folders and can run scripts. */
  readonly isNode: boolean;
  /** The adapters whose SDK does not run here, with the reason. */
  readonly lacks?: Readonly<Record<string, string>>;
  /** Builds and runs the program. */
  run(places: Places): Promise<ProgramResult>;
}

/** The version of a package in test/runtimes, or undefined if it is not installed. */
export function versionOf(name: string): string | undefined {
  const file = inRuntimes(`node_modules/${name}/package.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version : undefined;
}

/** Runs a program with the places and the others as its last parameters. It prints the result as JSON. */
export async function runFile(
  program: string,
  parameters: readonly string[],
  places: Places,
  ...others: readonly string[]
): Promise<ProgramResult> {
  const options = { cwd: inRuntimes("."), maxBuffer: 10_000_000, env: { ...process.env, NO_COLOR: "1" } };
  const given = [...parameters, JSON.stringify(places), ...others];
  const { stdout } = await promisify(execFile)(program, given, options);
  return JSON.parse(stdout) as ProgramResult;
}
