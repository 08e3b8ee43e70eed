import { setImmediate } from "node:timers/promises";
import type { Problem } from "../../../core/base/problem.ts";
import type { SkillEntry } from "../../../core/source/select.ts";
import { compileIgnored, type IsIgnored } from "../../../node/files/ignored-folders.ts";
import { realPath } from "../../../node/files/real-path.ts";
import { lintSkill } from "../../../node/lint/lint.ts";
import { lintToolsets } from "../../../node/lint/lint-toolsets.ts";
import { lintTriggers } from "../../../node/lint/lint-triggers.ts";
import { NAME_FOLDERS } from "../../../node/load/scan.ts";
import { resolvePath } from "../../../node/load/sources.ts";
import { nestedSkills } from "../../../node/load/unread-skills.ts";
import { folderOf, groupByPath } from "../../command-line/found-skill.ts";
import { loadSkills } from "../../command-line/load.ts";
import type { Io } from "../../terminal/io.ts";
import { linkedFolders } from "./linked-folders.ts";

export interface CheckOptions {
  readonly strict?: boolean | undefined;
  /** Globs of folders that are not searched. */
  readonly ignore?: readonly string[];
}

/** One skill and its problems. */
export interface FoundSkill {
  /** Its folder. */
  readonly path: string;
  readonly name: string;
  readonly problems: readonly Problem[];
}

/** The problems at some paths, before the rules of a skillset.json apply. */
export interface Findings {
  readonly skills: readonly FoundSkill[];
  /** Problems that do not belong to one skill. */
  readonly problems: readonly Problem[];
}

/** Checks every skill at and below each path, also those that a scan leaves out. */
export async function checkSkills(paths: readonly string[], options: CheckOptions, io: Io): Promise<Findings> {
  const isIgnored = await compileIgnored(options.ignore ?? [], realPath(io.cwd));
  const check = new Check({ ...options, isIgnored }, io);
  for (const path of paths) {
    await check.run([path]);
    for (const folder of linkedFolders(realPath(resolvePath(path, io.cwd))))
      if (!isIgnored(folder)) await check.run([folder]);
  }
  for (let unread = check.unread(); unread.length > 0; unread = check.unread()) await check.run(unread);
  return { skills: [...check.skills.values()], problems: check.problems };
}

class Check {
  /** By folder, because two paths can lead to the same skill. */
  readonly skills = new Map<string, FoundSkill>();
  readonly problems: Problem[] = [];
  /** The folders of skills below the checked ones. */
  readonly #nested = new Set<string>();
  readonly #options: CheckOptions & { readonly isIgnored: IsIgnored };
  readonly #io: Io;

  constructor(options: CheckOptions & { readonly isIgnored: IsIgnored }, io: Io) {
    this.#options = options;
    this.#io = io;
  }

  /** The skills below others that no run has checked. */
  unread(): readonly string[] {
    const unread = [...this.#nested].filter((folder) => !this.skills.has(folder));
    this.#nested.clear();
    return unread;
  }

  async run(paths: readonly string[]): Promise<void> {
    const { strict, ignore = [] } = this.#options;
    const policy = strict ? "reference" : "lenient";
    const options = { policy, recursive: true, ignore, requirements: false, profile: false } as const;
    const { entries, problems } = await loadSkills(paths, options, this.#io);
    const problemsAt = groupByPath(problems);
    for (const [index, entry] of entries.entries()) {
      if (index % LINTED_AT_ONCE === 0) await setImmediate();
      this.#io.signal.throwIfAborted();
      // The problems of a skill without a folder remain problems of no skill, with their address.
      const folder = folderOf(entry)?.folder;
      if (folder === undefined) continue;
      const file = `${folder}/SKILL.md`;
      const found = problemsAt.get(file) ?? [];
      problemsAt.delete(file);
      if (!this.skills.has(folder)) await this.#check(entry, folder, found);
    }
    for (const problem of [...problemsAt.values()].flat())
      this.problems.push(FAILURES.has(problem.code) ? { ...problem, severity: "error" } : problem);
  }

  async #check(entry: SkillEntry, folder: string, found: readonly Problem[]): Promise<void> {
    const { name, status } = entry;
    if (found.some(({ code }) => code === "skills-not-read")) this.#addNested(folder);
    // Loading has already reported errors that prevent the file from being read.
    const place = { folder, name };
    const toolsets = status === "invalid" ? [] : lintToolsets(place, entry.skill.toolsets);
    const lint = [...lintSkill(place), ...(await lintTriggers(place)), ...toolsets].filter(
      ({ code, severity }) => severity !== "error" || !found.some((known) => known.code === code),
    );
    const all = [...found, ...lint].map((problem) => (this.#options.strict ? strictly(problem) : problem));
    all.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
    this.skills.set(folder, { path: folder, name, problems: all });
  }

  #addNested(folder: string): void {
    const { folders, isCut } = nestedSkills(folder, this.#options.isIgnored);
    for (const nested of folders) this.#nested.add(nested);
    if (!isCut) return;
    const message = `Not all folders below '${folder}' were searched: there are too many.`;
    this.problems.push({ code: "scan-limit", severity: "error", message, path: folder, fix: NAME_FOLDERS });
  }
}

/** Warnings in other commands, but a check must not skip anything silently. */
const FAILURES: ReadonlySet<Problem["code"]> = new Set(["source-empty", "scan-limit"]);

/**
 * The reference validator does not look for hidden text or an unchanged template, but a skill with either must not pass
 * the check before publication.
 */
function strictly(problem: Problem): Problem {
  return STRICT_ERRORS.has(problem.code) ? { ...problem, severity: "error" } : problem;
}

const STRICT_ERRORS: ReadonlySet<Problem["code"]> = new Set(["hidden-text", "template-unchanged"]);

/** Linting blocks the event loop; after this many skills, Ctrl-C is handled. */
const LINTED_AT_ONCE = 32;
