import {
  type ArgumentSpec,
  type Command,
  GLOBAL_OPTIONS,
  type OptionSpec,
  type OptionSpecs,
  TOP_OPTIONS,
} from "../command-line/command.ts";
import { exitCodesOf } from "../command-line/exit-codes.ts";
import { definitionList, heading, paragraphs } from "../command-line/layout.ts";
import { TOPICS } from "../command-line/topics.ts";
import type { Paint } from "../terminal/paint.ts";
import { COMMANDS, type CommandEntry } from "./all.ts";

/** The output of `skillset --help`. */
export function helpOverview(width: number, paint: Paint): string {
  const groups = Map.groupBy(Object.entries(COMMANDS), ([, { group }]) => group);
  const rows = [...groups.values()].flat().map(([name]) => name.length);
  const align = Math.max(...rows);
  return [
    ...paragraphs("Find, write and check Agent Skills (SKILL.md folders), and use them with any agent.", width),
    heading("Usage", paint),
    "  skillset COMMAND [options]",
    ...[...groups].flatMap(([group, commands]) => [
      heading(group, paint),
      ...definitionList(
        commands.map(([name, entry]) => [name.padEnd(align), entry.summary + aliasNote(entry)]),
        width,
      ),
    ]),
    heading("Options", paint),
    ...optionRows(TOP_OPTIONS, width),
    heading("Examples", paint),
    ...exampleLines(EXAMPLES, width, paint),
    heading("Learn more", paint),
    ...definitionList(
      [
        ["skillset help COMMAND", "usage, options and examples of a command"],
        ...Object.entries(TOPICS).map(([name, { summary }]) => [`skillset help ${name}`, summary] as const),
        ["docs/cli.md", "the full guide, in the repository"],
      ],
      width,
    ),
    "",
  ].join("\n");
}

const EXAMPLES: Command["examples"] = [
  ["skillset list", "the skills that an agent in this folder can use"],
  ["skillset validate ./skills", "check a folder of skills, with a fix for each problem"],
  ["skillset new release-notes --dir .agents/skills", "start a skill"],
];

/** The output of `skillset COMMAND --help`. */
export function helpFor(name: string, entry: CommandEntry, command: Command, width: number, paint: Paint): string {
  const { about, arguments: args, options, examples, exitCodes } = command;
  const codes = Object.entries(exitCodesOf(exitCodes)) as [string, string][];
  return [
    ...paragraphs(about, width),
    heading("Usage", paint),
    `  skillset ${name} ${usageOf(command)}`,
    ...(entry.aliases === undefined ? [] : [heading("Aliases", paint), `  ${entry.aliases.join(", ")}`]),
    ...(args.length === 0 ? [] : [heading("Arguments", paint), ...definitionList(args.map(argumentRow), width)]),
    heading("Options", paint),
    ...optionRows({ ...options, ...GLOBAL_OPTIONS }, width),
    heading("Exit codes", paint),
    ...definitionList(codes, width),
    heading("Examples", paint),
    ...exampleLines(examples, width, paint),
    "",
  ].join("\n");
}

/** The usage after the command's name. */
function usageOf({ usage, arguments: args }: Command): string {
  return usage ?? [...args.map(placeholder), "[options]"].join(" ");
}

function placeholder({ name, required, multiple }: ArgumentSpec): string {
  const word = multiple ? `${name}…` : name;
  return required ? word : `[${word}]`;
}

function argumentRow({ name, about, choices }: ArgumentSpec): readonly [string, string] {
  return [name, choices === undefined ? about : `${about}: ${choices.join(", ")}`];
}

/** The options, with room for short forms only where there are any. */
function optionRows(options: OptionSpecs, width: number): string[] {
  return definitionList(
    Object.entries(options).map(([name, spec]) => [flag(name, spec), optionText(spec)]),
    width,
  );
}

function flag(name: string, { short, value }: OptionSpec): string {
  const long = value === undefined ? `--${name}` : `--${name} ${value}`;
  return short === undefined ? long : `-${short}, ${long}`;
}

function optionText({ about, choices, multiple, default: standard }: OptionSpec): string {
  const notes = [multiple && "repeatable", standard !== undefined && `default: ${standard}`].filter(Boolean);
  const values = choices === undefined ? about : `${about}: ${choices.join(", ")}`;
  return notes.length === 0 ? values : `${values} (${notes.join(", ")})`;
}

function aliasNote({ aliases }: CommandEntry): string {
  return aliases === undefined ? "" : ` (alias: ${aliases.join(", ")})`;
}

/** The commands are not wrapped, so that they can be copied. */
function exampleLines(examples: Command["examples"], width: number, paint: Paint): string[] {
  return examples.flatMap(([line, meaning]) => [
    ...paragraphs(`# ${meaning}`, width - 2).map(
      (comment, index) => `  ${paint("dim", index === 0 ? comment : `# ${comment}`)}`,
    ),
    `  ${line}`,
  ]);
}
