import { randomBytes } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, relative, sep } from "node:path";
import { StartError } from "../config/start-error.ts";

/**
 * Creates a data folder below the start folder, or checks that this user created it. A repository can contain one, with
 * permissions to run scripts and an admin token. A folder that is not below the start folder is not checked.
 */
export function claimFolder(start: string, folder: string, home = homedir()): void {
  const path = relative(start, folder);
  const parts = path.split(sep);
  if (parts[0] === ".." || isAbsolute(path)) return;
  const fix = `or start with '--data ${path}' to use it`;
  for (const [index] of parts.entries()) {
    const parent = join(start, ...parts.slice(0, index + 1));
    if (isLink(parent)) throw new StartError(`${parent} is a link, perhaps to another folder. Delete it, ${fix}.`);
  }
  // The home has a file for each folder, named by its id.
  const records = join(home, ".skillset/chat-folders");
  try {
    if (isEmpty(folder)) createFolder(folder, records);
    else if (!isRecorded(folder, records)) {
      throw new StartError(`${folder} was not created by you on this machine. Delete it, ${fix}.`);
    }
  } catch (error) {
    if (error instanceof StartError) throw error;
    const { code, path: place = folder } = error as NodeJS.ErrnoException;
    throw new StartError(`The chat cannot use ${place} (${code}). Start with --data and a folder that you own.`);
  }
}

function createFolder(folder: string, records: string): void {
  const id = randomBytes(16).toString("hex");
  mkdirSync(records, { recursive: true, mode: 0o700 });
  writeFileSync(join(records, id), `${folder}\n`, { mode: 0o600 });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, "id"), id, { mode: 0o600 });
  // Keeps the id and the chats out of the repository.
  writeFileSync(join(folder, ".gitignore"), "*\n");
}

/** Nobody else can know the id, so the folder may have been moved. */
function isRecorded(folder: string, records: string): boolean {
  const file = join(folder, "id");
  const entry = lstatSync(file, { throwIfNoEntry: false });
  if (entry === undefined || !entry.isFile() || entry.size !== 32) return false;
  const id = readFileSync(file, "latin1");
  return /^[\da-f]{32}$/.test(id) && existsSync(join(records, id));
}

function isEmpty(folder: string): boolean {
  return !existsSync(folder) || readdirSync(folder).length === 0;
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
