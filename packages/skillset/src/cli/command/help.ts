import type { Paint } from "../terminal/paint.ts";
import type { Command, OptionSpec } from "./command.ts";

/** What `skillset --help` prints. */
export function helpOverview(commands: Readonly<Record<string, { readonly summary: string }>>, paint: Paint): string {
  const rows = Object.entries(commands).map(([name, { summary }]): [string, string] => [name, summary]);
  return [
    "Agent Skills for any agent: find, check, list and mend SKILL.md folders.",
    heading("Usage", paint),
    "  skillset COMMAND [options]",
    heading("Commands", paint),
    ...columns(rows),
    heading("Options", paint),
    ...columns([
      ["-h, --help", "show this help, or the help of a command"],
      ["-v, --version", "show the version"],
    ]),
    heading("Examples", paint),
    ...columns([
      ["skillset list", "the skills of this project, this user and this package"],
      ["skillset validate ./skills", "what is wrong with the skills in a folder, and how to mend it"],
      ["skillset help list", "more about one command"],
    ]),
    "",
  ].join("\n");
}

/** What `skillset COMMAND --help` prints. */
export function helpFor(name: string, { usage, about, options, examples }: Command, paint: Paint): string {
  const rows = Object.entries(options).map(([option, spec]): [string, string] => [flag(option, spec), spec.about]);
  return [
    about,
    heading("Usage", paint),
    `  skillset ${name} ${usage}`.trimEnd(),
    heading("Options", paint),
    ...columns([...rows, ["-h, --help", "show this help"]]),
    heading("Examples", paint),
    ...examples.flatMap(([line, meaning]) => [`  ${paint("dim", `# ${meaning}`)}`, `  ${line}`]),
    "",
  ].join("\n");
}

function heading(text: string, paint: Paint): string {
  return `\n${paint("bold", text)}`;
}

function flag(option: string, { value }: OptionSpec): string {
  return value === undefined ? `--${option}` : `--${option} ${value}`;
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
