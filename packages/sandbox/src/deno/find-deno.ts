import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/**
 * Finds deno in the package for this platform. The package `deno` copies it from there when it is installed, but
 * installation scripts are often disabled.
 */
export function findDeno(): string | undefined {
  const { platform, arch } = process;
  const name = `@deno/${platform}-${arch}${platform === "linux" ? "-glibc" : ""}`;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve("deno/package.json"));
    const program = join(dirname(require.resolve(`${name}/package.json`)), platform === "win32" ? "deno.exe" : "deno");
    return existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}

export const DENO_MISSING = `deno has no program for ${process.platform} on ${process.arch} here, so JavaScript and TypeScript cannot run.`;
