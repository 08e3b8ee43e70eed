import type { Io } from "../terminal/io.ts";
import type { ExitCodes } from "./exit-codes.ts";

/** One command: its help, its completion and its code all come from this definition. */
export interface Command<Specs extends OptionSpecs = OptionSpecs> {
  /** The usage after the command's name. By default, the arguments and `[options]`. */
  readonly usage?: string;
  /** Paragraphs, one per line. A line that starts with spaces is printed unchanged. */
  readonly about: string;
  readonly arguments: readonly ArgumentSpec[];
  readonly options: Specs;
  /** Command lines, each with a short explanation. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  /** Exit codes that differ from the common ones, or mean something more specific. */
  readonly exitCodes?: ExitCodes;
  /** Returns the exit code. */
  run(input: CommandInput<Specs>, io: Io): Promise<number>;
}

export interface CommandInput<Specs extends OptionSpecs> {
  readonly values: OptionValues<Specs>;
  readonly positionals: readonly string[];
}

/** What shell completion offers for a value; `skill-files` and `skill-scripts` are those of the skill named before it. */
export type Completes =
  | "files"
  | "folders"
  | "skills"
  | "skill-or-folder"
  | "skill-files"
  | "skill-scripts"
  | "commands";

export interface ArgumentSpec {
  readonly name: string;
  readonly about: string;
  readonly required?: true;
  readonly multiple?: true;
  readonly choices?: readonly string[];
  readonly completes?: Completes;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

export interface OptionSpec {
  readonly type: "boolean" | "string";
  readonly short?: string;
  readonly multiple?: true;
  /** The placeholder for the value in the help. */
  readonly value?: string;
  /** The value of an option that is given without one. A value must then be a number. */
  readonly whenBare?: string;
  /** All values that the option accepts. */
  readonly choices?: readonly string[];
  /** The default, as the help shows it. */
  readonly default?: string;
  readonly completes?: Completes;
  readonly about: string;
}

/** The options of every command. */
export const GLOBAL_OPTIONS = {
  help: { type: "boolean", short: "h", about: "show this help" },
  "no-color": { type: "boolean", about: "disable colours, as the variable NO_COLOR does" },
} as const satisfies OptionSpecs;

/** The options of `skillset` without a command. */
export const TOP_OPTIONS = {
  ...GLOBAL_OPTIONS,
  version: { type: "boolean", short: "v", about: "show the version" },
} as const satisfies OptionSpecs;

export type OptionValues<Specs extends OptionSpecs> = {
  readonly [Name in keyof Specs]?: ValueOf<Specs[Name]>;
};

type ValueOf<Spec extends OptionSpec> = Spec["type"] extends "boolean"
  ? boolean
  : Spec extends { readonly multiple: true }
    ? readonly string[]
    : string;

/** Infers the types of the values that a command's `run` receives from its options. */
export function defineCommand<const Specs extends OptionSpecs>(command: Command<Specs>): Command<Specs> {
  return command;
}
