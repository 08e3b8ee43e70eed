import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { LIMITS } from "../../core/base/limits.ts";
import type { InstalledPackage } from "./python.ts";

/** Finds a package in `node_modules` of a folder and its parents, as Node does. */
export async function findNodePackage(name: string, from: string): Promise<InstalledPackage | undefined> {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const found = await readVersion(join(folder, "node_modules", name, "package.json"));
    if (found !== undefined || dirname(folder) === folder) return found;
  }
}

async function readVersion(path: string): Promise<InstalledPackage | undefined> {
  const text = await readBounded(path).catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return { version: String((JSON.parse(text) as { version?: unknown }).version ?? "") };
  } catch {
    return { version: "" };
  }
}

/** A skill's folder may contain anything, such as a pipe or a link to a device, so only a small regular file is read. */
async function readBounded(path: string): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return undefined;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(stats.size, LIMITS.hard.skillMd)));
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}
