import { isAbsolute, relative, sep } from "node:path";
import { isWithin } from "../files/contained-read.ts";
import { type FolderContent, hashFolder } from "./folder-digest.ts";

/** Whether a copy, in which links became what they lead to, has all of a folder's recorded content and nothing else. */
export function isCopyOf(copy: string, folder: string, content: FolderContent): boolean {
  const copied = hashFolder(copy);
  for (const [path, value] of copied) if (content.get(follow(path, folder, content)) !== value) return false;
  for (const [path, value] of content) if (!value.startsWith(LINK) && copied.get(path) !== value) return false;
  return true;
}

const LINK = "link:";
const MOST_LINKS = 40;

/** The path that a path of the folder leads to by the recorded links, step by step as the system follows them. */
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

/** Relative to the folder with forward slashes; nothing for what is outside. */
function placeIn(folder: string, parts: readonly string[]): string {
  const path = parts.join(sep);
  return isWithin(folder, path) ? relative(folder, path).replaceAll(sep, "/") : "";
}
