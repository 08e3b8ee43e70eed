import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { Language } from "../../../scripts/process/interpreter.ts";
import type { Io } from "../../terminal/io.ts";

/** Whether a runner has an interpreter for a language. */
export function canRun(level: string, language: Language, io: Io): boolean {
  const program = PROGRAMS[language];
  if (level === "embedded") return language !== "ruby" && language !== "perl";
  return program === undefined || isInstalled(program, io);
}

/** The interpreters that this machine must have. Node runs this program, so it is there. */
const PROGRAMS: Readonly<Partial<Record<Language, string>>> = {
  shell: "sh",
  bash: "bash",
  python: "python3",
  ruby: "ruby",
  perl: "perl",
};

function isInstalled(program: string, { env }: Io): boolean {
  return (env.PATH ?? process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
