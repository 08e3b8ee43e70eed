import { needsNode } from "../web/needs-node.ts";

/** Throws: there are no files without Node. */
export function pathOfOverrides(): never {
  throw needsNode("A file of overrides", "Leave out 'file', and keep the overrides in memory.");
}

/** Never called, because there is no path. */
export async function readOverrides(): Promise<undefined> {}

export async function writeOverrides(): Promise<void> {}
