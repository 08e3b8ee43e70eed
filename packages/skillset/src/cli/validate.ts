import { setImmediate } from "node:timers/promises";
import type { Problem } from "../core/problem.ts";
import { lintSkill } from "../node/lint.ts";
import { defineCommand } from "./command.ts";
import { folderOf, groupByPath } from "./found-skill.ts";
import type { Io } from "./io.ts";
import { loadSkills, SCAN_OPTIONS } from "./load.ts";
import { createPaint } from "./paint.ts";
import { counted, printable } from "./printable.ts";
import { countProblems, problemText } from "./problem-text.ts";
import { UsageError } from "./usage-error.ts";
import { write, writeJson } from "./write.ts";

export const validate = defineCommand({
  usage: "PATH… [options]",
  about:
    "Checks skills against the standard, and their instructions for what agents stumble over.\n" +
    "A path is a folder of skills, a skill or its SKILL.md. Exits with 1 when there is an error, or no skill at all.",
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
    const report: Report = { skills: new Map(), problems: [] };
    for (const path of positionals) await check(path, values, report, io);
    const skills = [...report.skills.values()];
    const { problems } = report;
    const isValid = !problems.some(({ severity }) => severity === "error");
    if (values.json) await writeJson(io.stdout, { valid: isValid, skills, problems });
    else await write(io.stdout, describe(skills, problems, io));
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
}

async function check(
  path: string,
  { strict, recursive }: { strict?: boolean; recursive?: boolean },
  report: Report,
  io: Io,
): Promise<void> {
  const policy = strict ? "reference" : "lenient";
  const { entries, problems } = await loadSkills([path], { policy, recursive: recursive ?? false }, io);
  const problemsAt = groupByPath(problems);
  for (const [index, entry] of entries.entries()) {
    if (index % LINTED_AT_ONCE === 0) await setImmediate();
    io.signal.throwIfAborted();
    const { folder } = folderOf(entry);
    const file = `${folder}/SKILL.md`;
    const found = problemsAt.get(file) ?? [];
    problemsAt.delete(file);
    if (report.skills.has(folder)) continue;
    // What keeps the file from being read has been said by whoever tried first.
    const lint = lintSkill({ folder, name: entry.name }).filter(
      ({ code, severity }) => severity !== "error" || !found.some((known) => known.code === code),
    );
    const all = [...found, ...lint].map((problem) => (strict ? strictly(problem) : problem));
    report.problems.push(...all.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)));
    report.skills.set(folder, {
      path: folder,
      name: entry.name,
      valid: !all.some(({ severity }) => severity === "error"),
    });
  }
  for (const problem of [...problemsAt.values()].flat()) {
    // Elsewhere an empty folder is worth a warning; whoever asks for a check expects something to be checked.
    report.problems.push(problem.code === "source-empty" ? { ...problem, severity: "error" } : problem);
  }
}

/** The reference validator does not look for hidden text; a skill with text that nobody sees must not pass all the same. */
function strictly(problem: Problem): Problem {
  return problem.code === "hidden-text" ? { ...problem, severity: "error" } : problem;
}

/** Linting reads files without a pause; between so many skills Ctrl-C is heard. */
const LINTED_AT_ONCE = 32;

function* describe(skills: readonly CheckedSkill[], problems: readonly Problem[], io: Io): Generator<string> {
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
}
