import { isScriptPath } from "../../../core/script/is-script.ts";
import type { Session } from "../../../core/session.ts";
import type { SkillFile } from "../../../core/skill/skill.ts";
import { printable } from "../../terminal/printable.ts";
import { COMMANDS, findCommand, type Parameter, splitWords } from "./try-commands.ts";

/** The candidates for the word at the end of the line, and that word, as readline expects them. */
export async function completeLine(line: string, session: Session): Promise<[string[], string]> {
  const text = line.replace(/^\s*!?\s*/, "");
  const [, command, rest = ""] = /^(\S+)\s+([\s\S]*)$/.exec(text) ?? [];
  if (command === undefined) return matching(text, firstWords(text, session));
  const parameters = findCommand(command)?.parameters ?? [];
  const values = splitWords(rest, parameters.length);
  // A space after any word but the last starts the next word.
  if (rest === "" || (/\s$/.test(rest) && values.length < parameters.length)) values.push("");
  const parameter = parameters[values.length - 1];
  const typed = values.at(-1) ?? "";
  return matching(typed, parameter === undefined ? [] : await candidates(parameter, values, session));
}

function firstWords(text: string, { skillset }: Session): readonly string[] {
  if (!text.startsWith("/")) return Object.keys(COMMANDS);
  return skillset.skills.filter(({ userInvocable }) => userInvocable).map(({ name }) => `/${name}`);
}

/** Reads from the skill, not the session: completion is not part of the conversation. */
async function candidates(
  parameter: Parameter,
  [name = ""]: readonly string[],
  { skillset }: Session,
): Promise<readonly string[]> {
  const skill = skillset.get(name);
  switch (parameter) {
    case "NAME":
      return skillset.names;
    case "PATH":
      return filesOf(await skill?.files.list());
    case "SCRIPT":
      return filesOf(await skill?.files.list()).filter(isScriptPath);
    case "TOOL":
      return skill?.tools.map((tool) => tool.name) ?? [];
    case "JSON":
    case "WORDS":
      return [];
  }
}

function filesOf(listed: readonly SkillFile[] = []): readonly string[] {
  return listed.filter(({ kind }) => kind === "file").map(({ path }) => path);
}

/** Leaves out names that could control a terminal. */
function matching(typed: string, words: readonly string[]): [string[], string] {
  const found = words.filter((word) => word.startsWith(typed) && printable(word) === word);
  return [found.length === 1 ? [`${found[0]} `] : found, typed];
}
