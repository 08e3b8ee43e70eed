import { realpathSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { Problem } from "../../core/base/problem.ts";
import { lintSkill } from "../../node/lint/lint.ts";
import { resolvePath } from "../../node/load/sources.ts";
import { drain, findNested, findUnknown } from "../../node/load/unread-skills.ts";
import { defineCommand } from "../command/command.ts";
import { folderOf, groupByPath } from "../command/found-skill.ts";
import { loadSkills, SCAN_OPTIONS } from "../command/load.ts";
import { UsageError } from "../command/usage-error.ts";
import type { Io } from "../terminal/io.ts";
import { createPaint } from "../terminal/paint.ts";
import { counted, printable, shownPath } from "../terminal/printable.ts";
import { countProblems, problemText } from "../terminal/problem-text.ts";
import { write, writeJson } from "../terminal/write.ts";
import { repositoryFolders } from "./repository-folders.ts";

export const validate = defineCommand({
  usage: "PATH… [options]",
  about:
    "Checks skills against the standard, and their instructions for what agents stumble over.\n" +
    "A path is a folder of skills, a skill, its SKILL.md, or a repository with folders such as skills/ or .claude/skills/.\n" +
    "Exits with 1 when there is an error, no skill at all, or a folder that is too large to be searched.",
  options: {
    strict: {
      type: "boolean",
      about: "the rules of the standard's reference validator, instead of what agents accept",
    },
    ...SCAN_OPTIONS,
    json: { type: "boolean", about: "print {valid, skills, problems} for programs" },
  },
  examples: [
    ["skillset validate ./skills", "every skill in a folder"],
    ["skillset validate ./skills/pdf/SKILL.md --strict", "one skill, before publishing it"],
    ["skillset validate ./skills --json | jq .problems", "for a program"],
  ],
  async run({ values, positionals }, io) {
    if (positionals.length === 0)
      throw new UsageError("'skillset validate' needs a path, as in 'skillset validate ./skills'.");
    const report: Report = { skills: new Map(), problems: [], searched: [] };
    for (const path of positionals) await check(path, values, report, io);
    const skills = [...report.skills.values()];
    const { problems } = report;
    const isValid = !problems.some(({ severity }) => severity === "error");
    if (values.json) await writeJson(io.stdout, { valid: isValid, skills, problems });
    else await write(io.stdout, describe(skills, report, io));
    return isValid ? 0 : 1;
  },
});

interface CheckedSkill {
  readonly path: string;
  readonly name: string;
  readonly valid: boolean;
}

interface Report {
  /** By folder: two paths may lead to one skill. */
  readonly skills: Map<string, CheckedSkill>;
  readonly problems: Problem[];
  /** The places that were searched although nobody named them. */
  readonly searched: string[];
}

interface CheckOptions {
  readonly strict?: boolean;
  readonly recursive?: boolean;
}

/** Checks the skills at a path and, when it is a repository, in the folders where it keeps skills. */
async function check(path: string, options: CheckOptions, report: Report, io: Io): Promise<void> {
  const root = resolvePath(path, io.cwd);
  const folders = options.recursive ? [] : repositoryFolders(root);
  const isRepository = folders.length > 0;
  let { count, problems } = await checkPlace(path, { ...options, isRepository }, report, io);
  for (const folder of folders) {
    const inside = await checkPlace(folder, options, report, io);
    add(
      inside.problems.filter(({ code }) => code !== "source-empty"),
      report,
    );
    count += inside.count;
    report.searched.push(shownPath(folder, io));
  }
  if (count === 0 && problems.some(({ code }) => code === "skills-not-read")) {
    report.searched.push(`all folders in ${shownPath(root, io)}`);
    ({ problems } = await checkPlace(path, { ...options, recursive: true }, report, io));
  } else if (isRepository) {
    const unread = drain(findUnknown(realpathSync(root), new Set(report.skills.keys())));
    problems = problems.filter(({ code }) => code !== "skills-not-read" && (count === 0 || code !== "source-empty"));
    if (unread !== undefined) problems = [...problems, unread];
  }
  add(problems, report);
}

/** Elsewhere these are warnings; whoever asks for a check expects that everything is checked. */
const FAILURES: ReadonlySet<Problem["code"]> = new Set(["source-empty", "scan-limit"]);

function add(problems: readonly Problem[], report: Report): void {
  for (const problem of problems)
    report.problems.push(FAILURES.has(problem.code) ? { ...problem, severity: "error" } : problem);
}

/** Checks the skills of one place; returns how many there are, and the problems that belong to the place itself. */
async function checkPlace(
  path: string,
  { strict, recursive, isRepository = false }: CheckOptions & { isRepository?: boolean },
  report: Report,
  io: Io,
): Promise<{ count: number; problems: readonly Problem[] }> {
  const policy = strict ? "reference" : "lenient";
  const { entries, problems } = await loadSkills([path], { policy, recursive: recursive ?? false }, io);
  const problemsAt = groupByPath(
    // What lies below the root of a repository is searched for by the caller.
    isRepository ? problems.filter(({ code, skill }) => code !== "skills-not-read" || skill === undefined) : problems,
  );
  for (const [index, entry] of entries.entries()) {
    if (index % LINTED_AT_ONCE === 0) await setImmediate();
    io.signal.throwIfAborted();
    const { folder, root } = folderOf(entry);
    const file = `${folder}/SKILL.md`;
    const found = problemsAt.get(file) ?? [];
    problemsAt.delete(file);
    if (report.skills.has(folder)) continue;
    const isEnd = entry.status !== "invalid" && folder !== root && !recursive;
    const nested = isEnd ? drain(findNested({ folder, name: entry.name })) : undefined;
    // What keeps the file from being read has been said by whoever tried first.
    const lint = lintSkill({ folder, name: entry.name }).filter(
      ({ code, severity }) => severity !== "error" || !found.some((known) => known.code === code),
    );
    const all = [...found, ...(nested === undefined ? [] : [nested]), ...lint].map((problem) =>
      strict ? strictly(problem) : problem,
    );
    report.problems.push(...all.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)));
    report.skills.set(folder, {
      path: folder,
      name: entry.name,
      valid: !all.some(({ severity }) => severity === "error"),
    });
  }
  return { count: entries.length, problems: [...problemsAt.values()].flat() };
}

/**
 * The reference validator looks neither for hidden text nor for a template that nobody has filled in; a skill with
 * either must not pass the check before it is published.
 */
function strictly(problem: Problem): Problem {
  return STRICT_ERRORS.has(problem.code) ? { ...problem, severity: "error" } : problem;
}

const STRICT_ERRORS: ReadonlySet<Problem["code"]> = new Set(["hidden-text", "template-unchanged"]);

/** Linting reads files without a pause; between so many skills Ctrl-C is heard. */
const LINTED_AT_ONCE = 32;

function* describe(skills: readonly CheckedSkill[], { problems, searched }: Report, io: Io): Generator<string> {
  const paint = createPaint(io.stdout, io.env);
  for (const problem of problems) yield problemText(problem, io, paint);
  if (problems.length > 0) yield "\n";
  const invalid = skills.filter(({ valid }) => !valid);
  const counts = countProblems(problems);
  const ending = counts === "" ? "." : `; ${counts}.`;
  if (invalid.length > 0) {
    const names = invalid.length <= 5 ? ` (${invalid.map(({ name }) => printable(name)).join(", ")})` : "";
    yield `${paint("red", `${invalid.length} of ${counted(skills.length, "skill")} ${invalid.length === 1 ? "is" : "are"} invalid`)}${names}${ending}\n`;
  } else {
    yield `${paint("green", `${counted(skills.length, "valid skill")}`)}${ending}\n`;
  }
  if (searched.length > 0) yield `Also searched: ${searched.join(", ")}\n`;
}
