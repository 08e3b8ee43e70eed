import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** Called before each file operation with its name, its number and its arguments. If it throws, the operation fails with that error. */
export type BeforeOperation = (operation: string, number: number, given: readonly unknown[]) => void;

type Operation = (...given: unknown[]) => unknown;

/** Hooks every file operation of this process while the action runs; returns their number. */
export async function watchOperations(before: BeforeOperation, action: () => unknown): Promise<number> {
  const builtin = fs as unknown as Record<string, Operation>;
  const originals = Object.entries(builtin).filter(
    ([name, value]) => /Sync$/.test(name) && typeof value === "function",
  );
  let number = 0;
  for (const [name, original] of originals) {
    builtin[name] = Object.assign((...given: unknown[]) => {
      try {
        before(name, ++number, given);
      } catch (error) {
        // A descriptor is released even if closing it fails.
        if (name === "closeSync") original(...given);
        throw error;
      }
      return original(...given);
    }, original);
  }
  syncBuiltinESMExports();
  try {
    await action();
  } finally {
    for (const [name, original] of originals) builtin[name] = original;
    syncBuiltinESMExports();
  }
  return number;
}

/** Returns the error of a failing file system. */
export function fault(code: string, operation: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: injected, ${operation}`), { code, syscall: operation });
}

/** Operations that need space on the disk. */
export const TAKES_ROOM: ReadonlySet<string> = new Set(["mkdirSync", "writeSync", "writeFileSync", "copyFileSync"]);
