import type { DeclaredPackages, PackageStatus, PrepareResult } from "../../../core/script/packages.ts";
import type { ConsentAnswer, ConsentRequest } from "../../../core/script/script.ts";
import { quote } from "../../../scripts/process/quote.ts";
import { requireScripts } from "../../command-line/script-options.ts";
import { askConsent } from "../../terminal/ask-consent.ts";
import type { Io } from "../../terminal/io.ts";
import { createPaint } from "../../terminal/paint.ts";
import { counted, printable, printableLines } from "../../terminal/printable.ts";
import { write, writeJson, writeLine } from "../../terminal/write.ts";
import type { FoundSkill } from "./find-skill.ts";
import { DID_NOT_RUN } from "./run-script.ts";

interface PrepareUse {
  readonly yes?: boolean;
  readonly json?: boolean;
}

/**
 * Installs a skill's packages for a person: asks, and shows what pip and npm write. Returns the exit code. With `quiet`,
 * JSON is only printed for a failure, because a script's result follows.
 */
export async function prepareSkill(
  { skillset, skill }: FoundSkill,
  { yes = false, json = false }: PrepareUse,
  { quiet }: { readonly quiet: boolean },
  io: Io,
): Promise<number> {
  await requireScripts(skillset, io);
  const session = await skillset.session();
  let written: Promise<unknown> = Promise.resolve();
  const result = await session.scripts.prepare(skill.name, {
    signal: io.signal,
    consent: (request: ConsentRequest): ConsentAnswer | Promise<ConsentAnswer> =>
      yes ? "once" : askConsent(io, request),
    onOutput: ({ text }) => {
      if (!json) written = written.then(() => write(io.stderr, [printableLines(text)])).catch(() => {});
    },
  });
  await written;
  const isGood = !("reason" in result);
  if (json && !(isGood && quiet)) await writeJson(io.stdout, result);
  const paint = createPaint(io.stderr, io.env);
  if (!json) {
    await writeLine(io.stderr, paint(isGood ? "dim" : "red", describe(result)));
    const unread = describeUnread(result.declared);
    if (unread.length > 0) await writeLine(io.stderr, ...unread.map((line) => paint("yellow", line)));
  }
  if (isGood) return 0;
  return result.outcome === "aborted" ? 130 : DID_NOT_RUN;
}

function describe(result: PrepareResult): string {
  const { skill, declared, milliseconds, level } = result;
  const packages = counted(declared.python.length + declared.npm.length, "package");
  switch (result.outcome) {
    case "installed":
      return `Installed ${packages} for '${printable(skill)}' after ${milliseconds} ms (sandbox: ${level}).`;
    case "unchanged":
      return `The packages of '${printable(skill)}' are installed.`;
    case "nothing-declared":
      return `Skill '${printable(skill)}' declares no packages.`;
    default:
      return `Nothing was installed. ${printable(result.reason)}`;
  }
}

/** Lines that list the packages of the skill on the command line, and whether its scripts can use them. */
export function describePackages({ declared, state }: PackageStatus, given: string, level: string): readonly string[] {
  if (state === "none") return describeUnread(declared);
  const verdicts = {
    installed: "installed",
    missing: `not installed; to install them, run: skillset run ${printable(asWord(given))} --prepare`,
    unsupported: `${level} cannot use packages`,
  };
  const { python, npm, refused, files } = declared;
  if (refused.length > 0)
    return [
      "Packages cannot be installed:",
      ...refused.map(({ file, line, message }) => `  ${printable(`${file}, line ${line}: ${message}.`)}`),
      ...describeUnread(declared),
    ];
  return [
    `Packages in ${files.map(printable).join(", ")}: ${verdicts[state]}`,
    ...python.map((one) => `  pip  ${printable(one)}`),
    ...npm.map((one) => `  npm  ${printable(one)}`),
    ...describeUnread(declared),
  ];
}

function describeUnread({ unread }: DeclaredPackages): readonly string[] {
  const [first, ...others] = unread;
  if (first === undefined) return [];
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return [
    `Not searched for packages: ${printable(first)}${more}. At most 200 files are searched, and scripts of at most 1 MB.`,
  ];
}

function asWord(given: string): string {
  return /^[\w./\\:@+-]+$/.test(given) ? given : quote(given);
}
