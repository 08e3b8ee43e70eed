import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { FileStore } from "./file-store.ts";
import { type FileDigests, isPlainPath, MOST_FILES } from "./protocol.ts";

/** The private folders of one run. */
export interface RunFolder {
  /** The folder that contains both. Its path must not leave this machine. */
  readonly root: string;
  readonly skill: string;
  readonly output: string;
  /** Adds the files of the output folder to the store, up to a number of bytes. */
  collect(maxBytes: number): Promise<FileDigests>;
  remove(): void;
}

/** Creates the folders of a run with files of the store. Returns the digests that the store does not have. */
export async function openRunFolder(
  parent: string,
  store: FileStore,
  files: { readonly skill: FileDigests; readonly output: FileDigests },
): Promise<RunFolder | readonly string[]> {
  const root = mkdtempSync(join(parent, "run-"));
  const remove = (): void => rmSync(root, { recursive: true, force: true });
  const folders = { skill: join(root, "skill"), output: join(root, "output") };
  try {
    // As root, the sandbox runs as another user. The parent's name is random and cannot be listed.
    chmodSync(root, 0o711);
    const missing = [
      ...(await fill(folders.skill, files.skill, store, { file: 0o555, folder: 0o755 })),
      ...(await fill(folders.output, files.output, store, { file: 0o600, folder: 0o700 })),
    ];
    if (missing.length === 0)
      return { ...folders, root, remove, collect: (maxBytes) => collect(folders.output, store, maxBytes) };
    remove();
    return missing;
  } catch (error) {
    remove();
    throw error;
  }
}

async function fill(
  root: string,
  files: FileDigests,
  store: FileStore,
  mode: { readonly file: number; readonly folder: number },
): Promise<readonly string[]> {
  const missing: string[] = [];
  const open = (folder: string): void => {
    mkdirSync(folder, { recursive: true });
    for (let one = folder; one.startsWith(root); one = dirname(one)) chmodSync(one, mode.folder);
  };
  open(root);
  for (const [path, digest] of Object.entries(files)) {
    const content = await store.read(digest);
    if (content === undefined) {
      missing.push(digest);
      continue;
    }
    const target = join(root, path);
    open(dirname(target));
    writeFileSync(target, content, { flag: "wx" });
    chmodSync(target, mode.file);
  }
  return missing;
}

/** The script has ended, so nothing changes while it is read. Links and special files are left out. */
async function collect(root: string, store: FileStore, maxBytes: number): Promise<FileDigests> {
  const found = new Map<string, string>();
  let [rest, count] = [maxBytes, 0];
  const visit = async (below: string): Promise<void> => {
    for (const name of readdirSync(join(root, below)).sort()) {
      const path = below === "" ? name : `${below}/${name}`;
      const stats = lstatSync(join(root, path));
      if (!isPlainPath(path) || count >= MOST_FILES) continue;
      if (stats.isDirectory()) {
        chmodSync(join(root, path), 0o700);
        await visit(path);
      } else if (stats.isFile() && stats.size <= rest) {
        chmodSync(join(root, path), 0o600);
        count++;
        rest -= stats.size;
        found.set(path, await store.add(readFileSync(join(root, path))));
      }
    }
  };
  chmodSync(root, 0o700);
  await visit("");
  return Object.fromEntries(found);
}
