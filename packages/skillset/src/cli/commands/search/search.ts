import { DEFAULTS } from "../../../core/base/limits.ts";
import type { RankedSkill } from "../../../core/search/rank.ts";
import type { Skillset } from "../../../core/skillset.ts";
import { defineCommand } from "../../command-line/command.ts";
import { LOAD_OPTIONS, loadSkills, PATHS } from "../../command-line/load.ts";
import { wholeNumber } from "../../command-line/parse-command-line.ts";
import { skillsElsewhere } from "../../command-line/skills-elsewhere.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import type { Io } from "../../terminal/io.ts";
import { countLocked, lockedHint } from "../../terminal/locked-hint.ts";
import { createPaint } from "../../terminal/paint.ts";
import { clip, printable, shownPath } from "../../terminal/printable.ts";
import { withProgress } from "../../terminal/progress.ts";
import { write, writeJson } from "../../terminal/write.ts";

export const search = defineCommand({
  about:
    "Finds the skills that fit a task, best first, with the words of the query that each one contains.\n" +
    "It searches names, descriptions and instructions, as a model does with 'search_skills'. It also finds skills that " +
    "only users can invoke.",
  arguments: [{ name: "QUERY", about: "the task in words; quote several words", required: true }, PATHS],
  options: {
    limit: {
      type: "string",
      value: "N",
      default: String(DEFAULTS.rankedSkills),
      about: "print at most N skills",
    },
    json: { type: "boolean", about: "print {query, skills, locked} as JSON" },
    ...LOAD_OPTIONS,
  },
  examples: [
    ['skillset search "fill in a PDF form"', "the skills for a task, in the standard folders"],
    ["skillset search invoices ./skills --limit 3 --json", "the best three of a folder, as JSON"],
  ],
  exitCodes: { 0: "success, even if no skill fits", 1: "a path does not exist" },
  async run({ values, positionals: [given = "", ...paths] }, io) {
    const { json, recursive = false, bundled, profile } = values;
    const query = given.trim();
    if (query === "")
      throw new UsageError("'skillset search' needs a query, as in 'skillset search \"fill in a PDF form\"'.");
    const limit = wholeNumber("limit", values.limit, 1) ?? DEFAULTS.rankedSkills;
    const skillset = await loadSkills(paths, { recursive, bundled, profile }, io);
    const skills = await find(skillset, query, limit, io);
    if (json) await writeJson(io.stdout, { query, skills: skills.map(toRow), locked: countLocked(skillset) });
    else {
      await write(io.stdout, skills.length === 0 ? [nothingFits(skillset, query)] : asText(skills, query, io));
      await write(io.stdout, [lockedHint(skillset), skills.length === 0 ? skillsElsewhere(skillset, paths, io) : ""]);
    }
    return 0;
  },
});

/** Only the last step of a search reports progress, so the line repeats how many skills are searched. */
function find(skillset: Skillset, query: string, limit: number, io: Io): Promise<readonly RankedSkill[]> {
  const searching = async (onProgress: (found: number) => void) => {
    const ticking = setInterval(() => onProgress(skillset.size), TICK);
    try {
      const ranked = await skillset.rank(query, { limit, signal: io.signal });
      return ranked.filter(({ fit }) => fit >= DEFAULTS.fit);
    } finally {
      clearInterval(ticking);
    }
  };
  return withProgress(io, searching, "Searching");
}

const TICK = 100;

function toRow({ skill, fit, matched }: RankedSkill): object {
  const { name, description, modelInvocable, location } = skill;
  return { name, description, matched, fit: Number(fit.toFixed(3)), modelInvocable, path: location ?? null };
}

function* asText(skills: readonly RankedSkill[], query: string, io: Io): Generator<string> {
  const { stdout, env } = io;
  const paint = createPaint(stdout, env);
  const columns = stdout.columns ?? DEFAULT_WIDTH;
  const more = stdout.isTTY ? "…" : "...";
  for (const { skill, matched } of skills) {
    const remark = skill.modelInvocable ? "" : "; only users can invoke it";
    const place = skill.location === undefined ? "" : `  ${paint("dim", shownPath(skill.location, io))}`;
    yield `${paint("bold", printable(skill.name))}${place}\n`;
    yield `  ${clip(printable(skill.description), Math.max(columns - 2, 20), more)}\n`;
    yield `  ${paint("dim", `matches: ${printable(wholeWords(matched, query).join(", "))}${remark}`)}\n`;
  }
}

/** Leaves out parts of words, such as `ve` of "we've" and `os` of "iOS". All of them if nothing else matched. */
function wholeWords(matched: readonly string[], query: string): readonly string[] {
  const whole = new Set(query.toLowerCase().match(WORD));
  const shown = matched.filter((word) => !ASCII.test(word) || whole.has(word));
  return shown.length > 0 ? shown : matched;
}

/** Words of letters, with the apostrophes and points inside them. */
const WORD = /[a-z0-9]+(?:['’.][a-z0-9]+)*/g;
const ASCII = /^[a-z0-9]+$/;

/** The width of lines when the output is not a terminal. */
const DEFAULT_WIDTH = 120;

function nothingFits({ size }: Skillset, query: string): string {
  if (size === 0) return "No skills. Run 'skillset list' to see what was found, and where.\n";
  return `No skill fits '${printable(clip(query, 80))}'. Try other words, or run 'skillset list'.\n`;
}
