import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import type { Places, ProgramResult } from "../program.ts";
import { inRuntimes } from "../services.ts";

/** Options of the plugin that compiles skills in. */
export const PLUGIN = { types: false } as const;

export const MISSING = "run `npm run runtimes:install` first";

/** A runtime, or a bundler with the runtime that its output is for. */
export interface Runtime {
  readonly name: string;
  /** Undefined if it is not installed. */
  readonly version: string | undefined;
  /** Whether programs have folders and can run scripts. */
  readonly isNode: boolean;
  /** Whether a bundler compiles skills in. */
  readonly isCompiled: boolean;
  /** Builds and runs the program. */
  run(places: Places): Promise<ProgramResult>;
}

/** The version of a package in test/runtimes, or undefined if it is not installed. */
export function versionOf(name: string): string | undefined {
  const file = inRuntimes(`node_modules/${name}/package.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version : undefined;
}

/** Runs a program that prints the result as JSON. */
export async function runFile(
  program: string,
  parameters: readonly string[],
  { mcp, folder }: Places,
): Promise<ProgramResult> {
  const options = { cwd: inRuntimes("."), maxBuffer: 10_000_000, env: { ...process.env, NO_COLOR: "1" } };
  const { stdout } = await promisify(execFile)(program, [...parameters, mcp, folder], options);
  return JSON.parse(stdout) as ProgramResult;
}
