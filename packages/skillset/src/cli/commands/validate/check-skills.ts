import { realpathSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { Problem } from "../../../core/base/problem.ts";
import { lintSkill } from "../../../node/lint/lint.ts";
import { lintToolsets } from "../../../node/lint/lint-toolsets.ts";
import { lintTriggers } from "../../../node/lint/lint-triggers.ts";
import { resolvePath } from "../../../node/load/sources.ts";
import { drain, findNested, findUnknown } from "../../../node/load/unread-skills.ts";
import { folderOf, groupByPath } from "../../command-line/found-skill.ts";
import { loadSkills } from "../../command-line/load.ts";
import type { Io } from "../../terminal/io.ts";
import { shownPath } from "../../terminal/printable.ts";
import { repositoryFolders } from "./repository-folders.ts";

export interface CheckOptions {
  readonly strict?: boolean | undefined;
  readonly recursive?: boolean | undefined;
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
  /** The folders that were searched although the command line does not name them. */
  readonly searched: readonly string[];
}

/** Checks the skills at each path and, where a path is a repository, in the folders where it keeps skills. */
export async function checkSkills(paths: readonly string[], options: CheckOptions, io: Io): Promise<Findings> {
  const check = new Check(options, io);
  for (const path of paths) await check.run(path);
  return { skills: [...check.skills.values()], problems: check.problems, searched: check.searched };
}

class Check {
  /** By folder, because two paths can lead to the same skill. */
  readonly skills = new Map<string, FoundSkill>();
  readonly problems: Problem[] = [];
  readonly searched: string[] = [];
  readonly #options: CheckOptions;
  readonly #io: Io;

  constructor(options: CheckOptions, io: Io) {
    this.#options = options;
    this.#io = io;
  }

  async run(path: string): Promise<void> {
    const { recursive = false } = this.#options;
    const root = resolvePath(path, this.#io.cwd);
    const folders = recursive ? [] : repositoryFolders(root);
    const isRepository = folders.length > 0;
    let { count, problems } = await this.#checkPlace(path, { recursive, isRepository });
    for (const folder of folders) {
      const inside = await this.#checkPlace(folder, { recursive });
      this.#add(inside.problems.filter(({ code }) => code !== "source-empty"));
      count += inside.count;
      this.searched.push(shownPath(folder, this.#io));
    }
    if (count === 0 && problems.some(({ code }) => code === "skills-not-read")) {
      this.searched.push(`all folders in ${shownPath(root, this.#io)}`);
      ({ problems } = await this.#checkPlace(path, { recursive: true }));
    } else if (isRepository) {
      const unread = drain(findUnknown(realpathSync(root), new Set(this.skills.keys())));
      problems = problems.filter(({ code }) => code !== "skills-not-read" && (count === 0 || code !== "source-empty"));
      if (unread !== undefined) problems = [...problems, unread];
    }
    this.#add(problems);
  }

  #add(problems: readonly Problem[]): void {
    for (const problem of problems)
      this.problems.push(FAILURES.has(problem.code) ? { ...problem, severity: "error" } : problem);
  }

  /** Checks the skills at one path. Returns their number and the problems of the path itself. */
  async #checkPlace(
    path: string,
    { recursive, isRepository = false }: { recursive: boolean; isRepository?: boolean },
  ): Promise<{ count: number; problems: readonly Problem[] }> {
    const policy = this.#options.strict ? "reference" : "lenient";
    const { entries, problems } = await loadSkills(
      [path],
      { policy, recursive, requirements: false, profile: false },
      this.#io,
    );
    const problemsAt = groupByPath(
      // The caller searches the rest of a repository.
      isRepository ? problems.filter(({ code, skill }) => code !== "skills-not-read" || skill === undefined) : problems,
    );
    for (const [index, entry] of entries.entries()) {
      if (index % LINTED_AT_ONCE === 0) await setImmediate();
      this.#io.signal.throwIfAborted();
      const { folder, root } = folderOf(entry);
      const file = `${folder}/SKILL.md`;
      const found = problemsAt.get(file) ?? [];
      problemsAt.delete(file);
      if (this.skills.has(folder)) continue;
      const isEnd = entry.status !== "invalid" && folder !== root && !recursive;
      const nested = isEnd ? drain(findNested({ folder, name: entry.name })) : undefined;
      // Loading has already reported errors that prevent the file from being read.
      const place = { folder, name: entry.name };
      const toolsets = entry.status === "invalid" ? [] : lintToolsets(place, entry.skill.toolsets);
      const lint = [...lintSkill(place), ...(await lintTriggers(place)), ...toolsets].filter(
        ({ code, severity }) => severity !== "error" || !found.some((known) => known.code === code),
      );
      const all = [...found, ...(nested === undefined ? [] : [nested]), ...lint].map((problem) =>
        this.#options.strict ? strictly(problem) : problem,
      );
      all.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
      this.skills.set(folder, { path: folder, name: entry.name, problems: all });
    }
    return { count: entries.length, problems: [...problemsAt.values()].flat() };
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
