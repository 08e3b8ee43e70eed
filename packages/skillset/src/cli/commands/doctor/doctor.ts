import { DEFAULTS } from "../../../core/base/limits.ts";
import { DEFAULT_BUDGET } from "../../../core/catalog/catalog.ts";
import { applyFix, planFixes, type SkillFix } from "../../../node/repair/fix.ts";
import { isNameProblem } from "../../../node/repair/fix-skill-md.ts";
import { defineCommand } from "../../command-line/command.ts";
import { givenAgain, LOAD_OPTIONS, loadSkills, PATHS } from "../../command-line/load.ts";
import { wholeNumber } from "../../command-line/parse-command-line.ts";
import { besidesStandard } from "../../command-line/skills-elsewhere.ts";
import { confirm } from "../../terminal/confirm.ts";
import type { Io } from "../../terminal/io.ts";
import { lockedHint } from "../../terminal/locked-hint.ts";
import { createPaint } from "../../terminal/paint.ts";
import { counted, printable, shownCommand, shownPath } from "../../terminal/printable.ts";
import { write, writeJson, writeLine } from "../../terminal/write.ts";
import { describeRunner } from "./describe-runner.ts";
import { type Diagnosis, diagnose } from "./diagnose.ts";
import { diffText } from "./diff.ts";
import { doctorText } from "./doctor-text.ts";

export const doctor = defineCommand({
  about:
    "Explains why skills are missing, invalid, unavailable, shadowed, locked or over the token budget, and finds descriptions that " +
    "a model is likely to confuse.\n" +
    "With --fix it shows changes and applies them. Instructions stay as they are; names can change.",
  arguments: [PATHS],
  options: {
    fix: {
      type: "boolean",
      about: "fix broken quoting, names that differ from their folders, and misspelt SKILL.md file names",
    },
    yes: { type: "boolean", about: "with --fix: apply the changes without asking" },
    budget: {
      type: "string",
      value: "N",
      default: String(DEFAULTS.catalogTokens),
      about: "the token budget of the catalog",
    },
    ...LOAD_OPTIONS,
    json: { type: "boolean", about: "print {skills, problems, catalog, similar, fixes} as JSON" },
  },
  examples: [
    ["skillset doctor", "find out why an agent does not see a skill"],
    ["skillset doctor ./skills --fix", "review and apply the changes"],
    ["skillset doctor ./skills --fix --yes", "the same in a script"],
  ],
  exitCodes: {
    0: "success, even if some skills have problems",
    1: "a path does not exist, or changes were not applied",
  },
  async run({ values, positionals }, io) {
    const { recursive = false, bundled, profile } = values;
    const given = wholeNumber("budget", values.budget);
    const found = await loadSkills(positionals, { recursive, bundled, profile }, io);
    const { budget: known = DEFAULT_BUDGET } = found.settings;
    const budget = given ?? ("tokens" in known ? known.tokens : DEFAULTS.catalogTokens);
    const fixes = planFixes(found);
    const isWanted = values.fix === true && fixes.length > 0;
    if (isWanted && !values.json) await write(io.stdout, describeFixes(fixes, io));
    const isFixed = isWanted && (await mayApply(fixes.length, values, io));
    if (isWanted && !isFixed && !values.json) return 1;
    const failed = isFixed ? applyAll(fixes, io.signal) : [];
    const skillset = isFixed ? (await found.reload({ signal: io.signal })).skillset : found;
    const diagnosis = diagnose(skillset, budget);
    if (values.json) {
      await writeJson(io.stdout, { ...diagnosis, fixes: fixes.map((fix) => fixAsJson(fix, isFixed, io)) });
    } else {
      if (isFixed) await writeLine(io.stdout, `Fixed ${counted(fixes.length - failed.length, "skill")}.`, "");
      if (failed.length > 0) await writeLine(io.stderr, ...failed.map(printable));
      await write(
        io.stdout,
        describe(diagnosis, isFixed ? planFixes(skillset) : fixes, givenAgain(positionals, values), io),
      );
      const hints = [lockedHint(skillset), besidesStandard(skillset, positionals, io)].filter((hint) => hint !== "");
      if (hints.length > 0) await write(io.stdout, ["\n", ...hints]);
      await write(io.stdout, [await describeRunner(skillset, io)]);
    }
    return (isWanted && !isFixed) || failed.length > 0 ? 1 : 0;
  },
});

async function mayApply(count: number, { yes, json }: { yes?: boolean; json?: boolean }, io: Io): Promise<boolean> {
  if (yes) return true;
  if (!json && io.stdin.isTTY && io.stdout.isTTY) {
    if (await confirm(`Apply these changes to ${counted(count, "skill")}? [y/N] `, io)) return true;
    await writeLine(io.stdout, "Nothing was changed.");
    return false;
  }
  await writeLine(io.stderr, "Nothing was changed. Add --yes to apply the changes above.");
  return false;
}

/** Fixes one skill after the other. Returns a message for each one that could not be fixed. */
function applyAll(fixes: readonly SkillFix[], signal: AbortSignal): string[] {
  return fixes.flatMap((fix) => {
    signal.throwIfAborted();
    try {
      applyFix(fix);
      return [];
    } catch (error) {
      return [`'${fix.name}' was not fixed: ${(error as Error).message}`];
    }
  });
}

function* describeFixes(fixes: readonly SkillFix[], io: Io): Generator<string> {
  const paint = createPaint(io.stdout, io.env);
  for (const fix of fixes) {
    for (const change of fix.changes) yield `${paint("bold", printable(fix.name))}: ${printable(change)}\n`;
    yield `${diffText(fix.hunks, shownPath(fix.file, io), paint)}\n`;
  }
}

function fixAsJson({ name, file, changes, hunks }: SkillFix, applied: boolean, io: Io): object {
  return { name, path: file, changes, diff: diffText(hunks, shownPath(file, io)), applied };
}

function* describe(
  diagnosis: Diagnosis,
  fixes: readonly SkillFix[],
  given: readonly string[],
  io: Io,
): Generator<string> {
  yield* doctorText(diagnosis, io);
  if (fixes.length === 0) return;
  const command = shownCommand("skillset", "doctor", ...given, "--fix");
  yield `\n${counted(fixes.length, "skill")} can be fixed: run '${command}', which shows the changes and asks.\n`;
  const renamed = fixes.filter(({ problems }) => problems.some(isNameProblem)).length;
  if (renamed > 0)
    yield `${counted(renamed, "skill")} would get another name, which users and other files may refer to.\n`;
}
