import { isAbsolute, relative, sep } from "node:path";
import { isWithin } from "../files/contained-read.ts";
import { type FolderContent, hashFolder } from "./folder-digest.ts";

/** Whether a copy, with links replaced by their targets, has exactly a folder's recorded content. */
export function isCopyOf(copy: string, folder: string, content: FolderContent): boolean {
  const copied = hashFolder(copy);
  for (const [path, value] of copied) if (content.get(follow(path, folder, content)) !== value) return false;
  for (const [path, value] of content) if (!value.startsWith(LINK) && copied.get(path) !== value) return false;
  return true;
}

const LINK = "link:";
const MOST_LINKS = 40;

/** Resolves a path through the recorded links, step by step like the system. */
function follow(path: string, folder: string, content: FolderContent): string {
  let done = partsOf(folder);
  const todo = partsOf(path).reverse();
  for (let links = 0; todo.length > 0 && links <= MOST_LINKS; ) {
    const part = todo.pop() ?? "";
    if (part === "" || part === ".") continue;
    if (part === "..") {
      done.pop();
      continue;
    }
    const value = content.get(placeIn(folder, [...done, part]));
    if (!value?.startsWith(LINK)) {
      done.push(part);
      continue;
    }
    const target = value.slice(LINK.length);
    if (isAbsolute(target)) done = [""];
    todo.push(...partsOf(target).reverse());
    links++;
  }
  return todo.length === 0 ? placeIn(folder, done) : "";
}

function partsOf(path: string): string[] {
  return path.split(sep === "/" ? "/" : /[\\/]/);
}

/** Returns the path relative to the folder, with forward slashes. Empty for a path outside. */
function placeIn(folder: string, parts: readonly string[]): string {
  const path = parts.join(sep);
  return isWithin(folder, path) ? relative(folder, path).replaceAll(sep, "/") : "";
}
