import { defineCommand } from "../command/command.ts";
import { givenAgain, loadSkills, SCAN_OPTIONS } from "../command/load.ts";
import { wholeNumber } from "../command/parse-command-line.ts";
import { confirm } from "../terminal/confirm.ts";
import type { Io } from "../terminal/io.ts";
import { createPaint } from "../terminal/paint.ts";
import { counted, printable, shownCommand, shownPath } from "../terminal/printable.ts";
import { write, writeJson, writeLine } from "../terminal/write.ts";
import { type Diagnosis, diagnose } from "./diagnose.ts";
import { diffText } from "./diff.ts";
import { doctorText } from "./doctor-text.ts";
import { applyMend, type Mend, planMends } from "./mend.ts";

export const doctor = defineCommand({
  usage: "[PATH…] [options]",
  about:
    "Says why skills are missing, invalid, shadowed, locked or too much for a model's budget, and which ones a model will confuse.\n" +
    "Without a path it looks where agents keep skills. With --fix it mends what is safe, and shows the changes first.",
  options: {
    fix: {
      type: "boolean",
      about: "mend broken quoting, names that differ from their folders, and misspelt SKILL.md files",
    },
    yes: { type: "boolean", about: "with --fix: do not ask" },
    budget: { type: "string", value: "N", about: "how many tokens the catalog may take (usually 5,000)" },
    ...SCAN_OPTIONS,
    json: { type: "boolean", about: "print {skills, problems, catalog, similar, mends} for programs" },
  },
  examples: [
    ["skillset doctor", "why does my agent not see a skill?"],
    ["skillset doctor ./skills --fix", "mend a folder, after a look at the changes"],
    ["skillset doctor ./skills --fix --yes", "the same in a script"],
  ],
  async run({ values, positionals }, io) {
    const budget = wholeNumber("budget", values.budget) ?? USUAL_BUDGET;
    const found = await loadSkills(positionals, { recursive: values.recursive ?? false }, io);
    const mends = planMends(found);
    const isWanted = values.fix === true && mends.length > 0;
    if (isWanted && !values.json) await write(io.stdout, describeMends(mends, io));
    const isMended = isWanted && (await mayMend(mends.length, values, io));
    if (isWanted && !isMended && !values.json) return 1;
    const failed = isMended ? mendAll(mends, io.signal) : [];
    const skillset = isMended ? (await found.reload({ signal: io.signal })).skillset : found;
    const diagnosis = diagnose(skillset, budget);
    if (values.json) {
      await writeJson(io.stdout, { ...diagnosis, mends: mends.map((mend) => mendAsJson(mend, isMended, io)) });
    } else {
      if (isMended) await writeLine(io.stdout, `Mended ${counted(mends.length - failed.length, "skill")}.`, "");
      if (failed.length > 0) await writeLine(io.stderr, ...failed.map(printable));
      await write(
        io.stdout,
        describe(diagnosis, isMended ? planMends(skillset) : mends, givenAgain(positionals, values), io),
      );
    }
    return (isWanted && !isMended) || failed.length > 0 ? 1 : 0;
  },
});

/** What agents commonly spare for a list of skills. */
const USUAL_BUDGET = 5_000;

async function mayMend(count: number, { yes, json }: { yes?: boolean; json?: boolean }, io: Io): Promise<boolean> {
  if (yes) return true;
  if (!json && io.stdin.isTTY && io.stdout.isTTY) {
    if (await confirm(`Mend ${counted(count, "skill")} like this? [y/N] `, io)) return true;
    await writeLine(io.stdout, "Nothing was changed.");
    return false;
  }
  await writeLine(io.stderr, "Nothing was changed: add --yes to apply the changes above without being asked.");
  return false;
}

/** Mends one skill after the other; says which could not be mended, and why. */
function mendAll(mends: readonly Mend[], signal: AbortSignal): string[] {
  return mends.flatMap((mend) => {
    signal.throwIfAborted();
    try {
      applyMend(mend);
      return [];
    } catch (error) {
      return [`'${mend.name}' was not mended: ${(error as Error).message}`];
    }
  });
}

function* describeMends(mends: readonly Mend[], io: Io): Generator<string> {
  const paint = createPaint(io.stdout, io.env);
  for (const mend of mends) {
    for (const change of mend.changes) yield `${paint("bold", printable(mend.name))}: ${printable(change)}\n`;
    yield `${diffText(mend.before, mend.after, shownPath(mend.file, io), paint)}\n`;
  }
}

function mendAsJson({ name, file, changes, before, after }: Mend, applied: boolean, io: Io): object {
  return { name, path: file, changes, diff: diffText(before, after, shownPath(file, io)), applied };
}

function* describe(diagnosis: Diagnosis, mends: readonly Mend[], given: readonly string[], io: Io): Generator<string> {
  yield* doctorText(diagnosis, io);
  if (mends.length === 0) return;
  const command = shownCommand("skillset", "doctor", ...given, "--fix");
  yield `\n${counted(mends.length, "skill")} can be mended safely: run '${command}'.\n`;
}
