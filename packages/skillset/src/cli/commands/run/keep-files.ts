import { lstatSync, mkdirSync, mkdtempSync, readdirSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SkillError } from "../../../core/base/errors.ts";
import type { ScriptFile } from "../../../core/script/script.ts";
import type { SkillFiles } from "../../../core/skill/skill.ts";
import { inTemporaryFolder } from "../../../node/copy/owned-folder.ts";
import { removeTree } from "../../../node/copy/remove-tree.ts";

const PREFIX = "skillset-files-";
const KEPT_FOR = 7 * 24 * 60 * 60 * 1000;

/** Copies what a script wrote to a new folder that outlives this process. Removes such folders after a week. */
export async function keepInTemporaryFolder(from: SkillFiles, written: readonly ScriptFile[]): Promise<string> {
  const folder = inTemporaryFolder((parent) => {
    sweep(parent);
    return mkdtempSync(join(parent, PREFIX));
  });
  await copyFiles(from, written, folder, true);
  return folder;
}

/** Copies files. Throws before it writes if one exists and may not be replaced. */
export async function copyFiles(
  from: SkillFiles,
  written: readonly ScriptFile[],
  folder: string,
  overwrite: boolean,
): Promise<void> {
  const isTaken = ({ path }: ScriptFile): boolean =>
    lstatSync(join(folder, path), { throwIfNoEntry: false }) !== undefined;
  const taken = overwrite ? undefined : written.find(isTaken);
  if (taken !== undefined)
    throw new SkillError("option-invalid", `'${join(folder, taken.path)}' exists. Add --overwrite to replace it.`);
  for (const file of written) {
    const target = join(folder, file.path);
    const content = await from.read(file.path);
    mkdirSync(dirname(target), { recursive: true });
    // Not overwritten in place: it may be a link.
    if (isTaken(file)) unlinkSync(target);
    writeFileSync(target, content, { flag: "wx" });
  }
}

function sweep(parent: string): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(PREFIX)) continue;
    const path = join(parent, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined || !stats.isDirectory() || stats.uid !== (process.getuid?.() ?? stats.uid)) continue;
    if (Date.now() - stats.mtimeMs > KEPT_FOR) removeTree(path);
  }
}
