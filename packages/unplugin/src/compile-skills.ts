import { realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, relative } from "node:path";
import {
  createSkillset,
  isStored,
  type Problem,
  type Skill,
  SkillError,
  type SkillSnapshot,
  snapshotSkill,
} from "skillset";
import { isSkillMd, toSlashes } from "./module-ids.ts";
import { type CheckedOptions, LOAD_OPTIONS } from "./options.ts";

/** A skill that becomes part of the bundle. */
export interface CompiledSkill {
  readonly skill: Skill;
  /** The real path of its folder. */
  readonly folder: string;
  readonly snapshot: SkillSnapshot;
}

export interface Compilation {
  readonly skills: readonly CompiledSkill[];
  readonly problems: readonly Problem[];
  /** The files and folders on which the result depends. */
  readonly watched: { readonly files: readonly string[]; readonly folders: readonly string[] };
}

/**
 * Loads a folder of skills or one SKILL.md with the library's own loader. Requirements are checked where the program
 * runs, not here. Throws if a skill contains the project at `root`.
 */
export async function compileSkills(path: string, options: CheckedOptions, root: string): Promise<Compilation> {
  const source = sourceOf(path);
  const loadOptions = LOAD_OPTIONS.flatMap((key) => (options[key] === undefined ? [] : [[key, options[key]]]));
  const { skills, entries, problems } = await createSkillset([{ path: isSkillMd(path) ? path : source }], {
    ...Object.fromEntries(loadOptions),
    requirements: false,
    onProblem: () => {},
  });
  const compiled: CompiledSkill[] = [];
  const refused: Problem[] = [];
  const watched = watchedOf(path);
  const folders = new Set<string>(watched.folders);
  const files = new Set<string>(watched.files);
  for (const entry of entries) {
    if (entry.status !== "invalid" || entry.origin.kind !== "folder") continue;
    folders.add(entry.origin.folder);
    files.add(`${entry.origin.folder}/SKILL.md`);
  }
  const realSource = realpathSync(source);
  for (const skill of skills) {
    if (!isStored(skill)) continue;
    const folder = skill.basePath;
    refuseProject(skill.name, folder, root);
    folders.add(folder);
    const taken = await takeSnapshot(skill, locationIn(realSource, folder), refused);
    const snapshot = taken && leaveOutBackslashes(taken, folder, refused);
    for (const file of snapshot?.files ?? []) {
      if (file.kind === "directory") folders.add(`${folder}/${file.path}`);
      else files.add(`${folder}/${file.path}`);
    }
    const tooLarge = snapshot && findTooLarge(snapshot, folder, options);
    if (tooLarge !== undefined) refused.push(tooLarge);
    else if (snapshot !== undefined) compiled.push({ skill, folder, snapshot });
  }
  return {
    skills: compiled,
    problems: [...problems, ...refused],
    watched: { files: [...files], folders: [...folders] },
  };
}

/** Returns what the result depends on whether or not the path exists. */
export function watchedOf(path: string): Compilation["watched"] {
  return { files: isSkillMd(path) ? [path] : [], folders: [sourceOf(path)] };
}

/** The folder of the skills. Bundlers that cannot import a folder import a file in it. */
function sourceOf(path: string): string {
  return isSkillMd(path) || statSync(path, { throwIfNoEntry: false })?.isFile() ? dirname(path) : path;
}

/** A skill with the project in it would contain the output of the last build, and so grow with every build. */
function refuseProject(name: string, folder: string, root: string): void {
  const place = toSlashes(relative(folder, realpathSync(root)));
  if (place === ".." || place.startsWith("../") || isAbsolute(place)) return;
  throw new Error(
    `The folder '${folder}' of skill '${name}' contains the project '${root}', so its code and its output would be compiled in. Move SKILL.md and the skill's files into a separate folder, such as 'skills/${name}'.`,
  );
}

/** The location starts at the imported folder: a bundle must not contain paths of the machine that built it. */
function locationIn(source: string, folder: string): string {
  const place = toSlashes(relative(source, folder));
  const parts = [basename(source), place.startsWith("..") ? basename(folder) : place, "SKILL.md"];
  return parts.filter((part) => part !== "").join("/");
}

async function takeSnapshot(skill: Skill, location: string, refused: Problem[]): Promise<SkillSnapshot | undefined> {
  try {
    return { ...(await snapshotSkill(skill)), location };
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    const code = error.code === "skill-too-large" ? "skill-too-large" : "skill-md-unreadable";
    const fix = "Remove files that the skill does not need, or check their permissions.";
    const { name, location: path } = skill;
    refused.push({ code, severity: "error", message: error.message, skill: name, ...(path && { path }), fix });
    return undefined;
  }
}

/** Bundlers read a backslash as a slash, so they cannot find a file that has one in its path. */
function leaveOutBackslashes(snapshot: SkillSnapshot, folder: string, refused: Problem[]): SkillSnapshot {
  const { name } = snapshot;
  const left = snapshot.files.filter(({ path }) => path.includes("\\"));
  for (const { path, kind } of left) {
    if (kind === "directory") continue;
    const message = `'${path}' of skill '${name}' has a backslash in its path. It is not compiled in.`;
    const fix = "Rename it.";
    refused.push({ code: "file-refused", severity: "warning", message, skill: name, path: `${folder}/${path}`, fix });
  }
  return { ...snapshot, files: snapshot.files.filter((file) => !left.includes(file)) };
}

function findTooLarge(
  { name, files }: SkillSnapshot,
  folder: string,
  { maxFileBytes, maxSkillBytes }: CheckedOptions,
): Problem | undefined {
  const problem = { code: "skill-too-large", severity: "error", skill: name } as const;
  const file = files.find(({ size }) => size > maxFileBytes);
  if (file !== undefined) {
    return {
      ...problem,
      message: `'${file.path}' of skill '${name}' has ${file.size} bytes. At most ${maxFileBytes} are compiled in.`,
      path: `${folder}/${file.path}`,
      fix: "Remove the file, or raise the plugin's option 'maxFileBytes'.",
    };
  }
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (total <= maxSkillBytes) return undefined;
  return {
    ...problem,
    message: `The files of skill '${name}' have ${total} bytes. At most ${maxSkillBytes} are compiled in.`,
    path: `${folder}/SKILL.md`,
    fix: "Remove files, or raise the plugin's option 'maxSkillBytes'.",
  };
}
