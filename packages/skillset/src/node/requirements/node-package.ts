import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { InstalledPackage } from "./python.ts";

/** Finds a package in `node_modules` of a folder and its parents, as Node does. */
export async function findNodePackage(name: string, from: string): Promise<InstalledPackage | undefined> {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const found = await readVersion(join(folder, "node_modules", name, "package.json"));
    if (found !== undefined || dirname(folder) === folder) return found;
  }
}

async function readVersion(path: string): Promise<InstalledPackage | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch {
    return undefined;
  }
  try {
    return { version: String((JSON.parse(text) as { version?: unknown }).version ?? "") };
  } catch {
    return { version: "" };
  }
}
