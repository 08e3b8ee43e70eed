import { resolve } from "node:path";
import { readConfig } from "../../../node/config/config-file.ts";
import { findConfig } from "../../../node/config/find-config.ts";
import { defineCommand, type OptionValues } from "../../command-line/command.ts";
import { PATHS } from "../../command-line/load.ts";
import { oneOf, wholeNumber } from "../../command-line/parse-command-line.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import type { Io } from "../../terminal/io.ts";
import { counted, printableJson } from "../../terminal/printable.ts";
import { write, writeLine } from "../../terminal/write.ts";
import { checkSkills } from "./check-skills.ts";
import { githubFormat } from "./github-format.ts";
import { inertJson } from "./inert.ts";
import { junitFormat } from "./junit-format.ts";
import { applyRules, countSeverity, onlyErrors, type Report } from "./report.ts";
import { sarifFormat } from "./sarif-format.ts";
import { textFormat } from "./text-format.ts";

const FORMATS = ["text", "json", "sarif", "github", "junit"] as const;
type Format = (typeof FORMATS)[number];

const OPTIONS = {
  strict: {
    type: "boolean",
    about: "apply the rules of the standard's reference validator, instead of what agents accept",
  },
  recursive: { type: "boolean", about: "has no effect: subfolders are always searched" },
  ignore: {
    type: "string",
    multiple: true,
    value: "GLOB",
    about: "leave out folders that match: a name at any depth, or a path",
  },
  format: { type: "string", value: "FORMAT", choices: FORMATS, default: "text", about: "the output format" },
  json: { type: "boolean", about: "print {valid, skills, problems} as JSON; short for --format json" },
  verbose: { type: "boolean", about: "show every finding, instead of one example of each rule" },
  quiet: { type: "boolean", about: "show only errors, and nothing if there are none" },
  "max-warnings": { type: "string", value: "N", about: "fail if there are more than N warnings" },
  config: {
    type: "string",
    value: "FILE",
    completes: "files",
    about: "use this file instead of the nearest skillset.json",
  },
  watch: { type: "boolean", about: "check again when files change, until Ctrl-C" },
} as const;

export const validate = defineCommand({
  about:
    "Checks skills against the standard, and their instructions for mistakes that confuse agents. It searches all " +
    "subfolders, up to six levels deep, and fails if it cannot.\n" +
    "A skillset.json in the working directory, or above it in the repository, sets the level of each rule:\n" +
    '  { "validate": { "rules": { "body-too-long": "off" }, "maxWarnings": 0 } }',
  arguments: [
    {
      ...PATHS,
      about:
        "a repository, a folder of skills, a skill's folder, its SKILL.md, or a quoted glob (default: this folder)",
    },
  ],
  options: OPTIONS,
  examples: [
    ["skillset validate", "all skills in this folder or repository"],
    ["skillset validate ./skills/pdf/SKILL.md --strict", "one skill, before publishing it"],
    ["skillset validate . --max-warnings 0 --format github", "in GitHub Actions, with annotations"],
    ["skillset validate . --ignore 'test/fixtures'", "without the skills of your tests"],
    ["skillset validate . --format sarif > skills.sarif", "for code scanning"],
    ["skillset validate ./skills --watch", "while you write"],
    ["skillset validate ./skills --json | jq .problems", "as JSON, for a program"],
  ],
  exitCodes: {
    0: "no errors, and at most --max-warnings warnings; with --watch, Ctrl-C",
    1: "an error, too many warnings, no skill found, or a folder too large to search",
  },
  async run({ values, positionals }, io) {
    const paths = positionals.length > 0 ? positionals : ["."];
    const format = formatOf(values);
    const most = wholeNumber("max-warnings", values["max-warnings"]);
    if (!values.watch) return (await checkOnce(paths, { values, format, most }, io)).code;
    if (format !== "text") throw new UsageError("'--watch' prints text only; remove '--format' or '--json'.");
    // Loaded on demand: watching needs more code than checking.
    const { checkOnChange } = await import("./watch.ts");
    const check = async () => (await checkOnce(paths, { values, format, most }, io)).folders;
    await checkOnChange([...paths, configPath(values, io) ?? "skillset.json"], check, io);
    return 0;
  },
});

interface CheckSettings {
  readonly values: OptionValues<typeof OPTIONS>;
  readonly format: Format;
  readonly most: number | undefined;
}

/** Checks and prints; returns the exit code, and the folders of the skills. */
async function checkOnce(
  paths: readonly string[],
  { values, format, most }: CheckSettings,
  io: Io,
): Promise<{ code: number; folders: readonly string[] }> {
  const path = configPath(values, io);
  const config = path === undefined ? undefined : readConfig(path);
  const ignore = [...(values.ignore ?? []), ...(config?.validate.ignore ?? [])];
  const full = applyRules(await checkSkills(paths, { ...values, ignore }, io), config?.validate.rules ?? new Map());
  const allowed = most ?? config?.validate.maxWarnings ?? Number.POSITIVE_INFINITY;
  const warnings = countSeverity(full, "warning");
  const isTooMuch = warnings > allowed;
  const isFine = !isTooMuch && countSeverity(full, "error") === 0;
  const report = values.quiet ? onlyErrors(full) : full;
  if (format !== "text" || !values.quiet || report.problems.length > 0)
    await print(report, { format, isFine, verbose: values.verbose, config: path }, io);
  if (isTooMuch) {
    const origin = most === undefined ? "'maxWarnings' in skillset.json" : "'--max-warnings'";
    await writeLine(io.stderr, `Too many warnings: ${counted(warnings, "warning")}; ${origin} allows ${allowed}.`);
  }
  return { code: isFine ? 0 : 1, folders: full.skills.map((skill) => skill.path) };
}

function configPath({ config }: OptionValues<typeof OPTIONS>, { cwd }: Io): string | undefined {
  return config === undefined ? findConfig(cwd) : resolve(cwd, config);
}

function formatOf({ format, json }: OptionValues<typeof OPTIONS>): Format {
  const named = oneOf("format", format, FORMATS);
  if (json && named !== undefined && named !== "json")
    throw new UsageError(`'--json' means '--format json', and cannot be used with '--format ${named}'.`);
  return json ? "json" : (named ?? "text");
}

interface PrintOptions {
  readonly format: Format;
  readonly isFine: boolean;
  readonly verbose: boolean | undefined;
  readonly config: string | undefined;
}

async function print(report: Report, { format, isFine, ...options }: PrintOptions, io: Io): Promise<void> {
  const { skills, problems } = report;
  switch (format) {
    case "text":
      return write(io.stdout, textFormat(report, options, io));
    case "github":
      return write(io.stdout, githubFormat(report, io));
    case "junit":
      return write(io.stdout, junitFormat(report, io));
    case "sarif":
      return writeLine(io.stdout, inertJson(printableJson(sarifFormat(report, io), 2)));
    case "json": {
      const shown = skills.map(({ path, name, valid }) => ({ path, name, valid }));
      return writeLine(io.stdout, inertJson(printableJson({ valid: isFine, skills: shown, problems }, 2)));
    }
  }
}
