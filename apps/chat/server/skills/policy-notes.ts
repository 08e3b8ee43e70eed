import { createSkillset, type SkillEntry, type Skillset } from "skillset";
import type { SkillsConfig } from "../config/config.ts";
import type { SkillRegistry } from "./loaded-skills.ts";

/** What the other policy would do with the skills of a set, by folder. */
export interface PolicyNotes {
  /** The skills that `standard` refuses and that `lenient` would load. */
  readonly loadable: ReadonlySet<string>;
  /** Why `standard` would refuse skills that `lenient` has loaded. */
  readonly tolerated: ReadonlyMap<string, readonly string[]>;
}

/** Reads the skills in question again, once for each set. */
export function policyNotes({ current, policy }: Pick<SkillRegistry, "current" | "policy">): Promise<PolicyNotes> {
  const known = notes.get(current) ?? (policy === "standard" ? findLoadable(current) : findTolerated(current));
  notes.set(current, known);
  return known;
}

const notes = new WeakMap<Skillset, Promise<PolicyNotes>>();

async function findLoadable({ entries }: Skillset): Promise<PolicyNotes> {
  const refused = entries.filter(({ status }) => status === "invalid");
  const again = await readAgain(refused.flatMap(folderOf), "lenient");
  const loadable = again.entries.filter(({ status }) => status !== "invalid").flatMap(folderOf);
  return { loadable: new Set(loadable), tolerated: new Map() };
}

async function findTolerated({ entries, problems }: Skillset): Promise<PolicyNotes> {
  const warned = new Set(problems.flatMap(({ path, severity }) => (path && severity === "warning" ? [path] : [])));
  const loaded = entries.filter(({ status }) => status !== "invalid").flatMap(folderOf);
  const again = loaded.filter((folder) => warned.has(`${folder}/SKILL.md`));
  const refusals = (await readAgain(again, "standard")).problems.filter(({ severity }) => severity === "error");
  // A link to the folder can have the right name.
  const mismatched = new Set(problems.flatMap(({ code, path }) => (code === MISMATCH ? [path] : [])));
  const tolerated = Map.groupBy(
    refusals.filter(({ code, path }) => code !== MISMATCH || mismatched.has(path)),
    ({ path = "" }) => path.replace(/\/SKILL\.md$/, ""),
  );
  return {
    loadable: new Set(),
    tolerated: new Map([...tolerated].map(([folder, found]) => [folder, found.map(({ message }) => message)])),
  };
}

const MISMATCH = "name-folder-mismatch";

async function readAgain(
  folders: readonly string[],
  policy: SkillsConfig["policy"],
): Promise<Pick<Skillset, "entries" | "problems">> {
  if (folders.length === 0) return { entries: [], problems: [] };
  const sources = folders.map((folder) => ({ path: `${folder}/SKILL.md`, optional: true }));
  return createSkillset(sources, { policy, asciiNames: true, requirements: false, onProblem: () => {} });
}

/** The folder of an entry, if it has one. */
export function folderOf(entry: SkillEntry): readonly string[] {
  const origin = entry.status === "invalid" ? entry.origin : entry.skill.origin;
  return origin.kind === "folder" ? [origin.folder] : [];
}
