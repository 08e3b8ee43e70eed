import type { Io } from "../terminal/io.ts";

/** One command: what its help says, and what it does. */
export interface Command<Specs extends OptionSpecs = OptionSpecs> {
  /** What follows the command's name. */
  readonly usage: string;
  readonly about: string;
  readonly options: Specs;
  /** Command lines, each with what it does. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  /** Gives the exit code. */
  run(input: CommandInput<Specs>, io: Io): Promise<number>;
}

export interface CommandInput<Specs extends OptionSpecs> {
  readonly values: OptionValues<Specs>;
  readonly positionals: readonly string[];
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

export interface OptionSpec {
  readonly type: "boolean" | "string";
  readonly multiple?: true;
  /** How the help calls the value. */
  readonly value?: string;
  /** What the value is when it is left out; then only a number that follows is taken for it. */
  readonly whenBare?: string;
  readonly about: string;
}

export type OptionValues<Specs extends OptionSpecs> = {
  readonly [Name in keyof Specs]?: ValueOf<Specs[Name]>;
};

type ValueOf<Spec extends OptionSpec> = Spec["type"] extends "boolean"
  ? boolean
  : Spec extends { readonly multiple: true }
    ? readonly string[]
    : string;

/** Ties the types of a command's options to the values that it is run with. */
export function defineCommand<const Specs extends OptionSpecs>(command: Command<Specs>): Command<Specs> {
  return command;
}
